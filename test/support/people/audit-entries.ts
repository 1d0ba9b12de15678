// The entries of the audit log of the service's workspace, read from the file.

import { join } from 'node:path'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import type { TestService } from '../service.js'

export interface Entry {
  action: string
  target: string
  actor: { kind: string; userId?: string }
  details: Record<string, unknown>
}

export function auditEntries({ dataDir, workspaceId }: TestService): Entry[] {
  const sqlite = openSqlite(join(dataDir, 'catalog.db'), { synchronous: 'FULL', mustExist: true, queryOnly: true })
  try {
    const rows = sqlite
      .prepare<{ entry: string }>('SELECT entry FROM audit_entries WHERE workspace_id = ? ORDER BY number')
      .all([workspaceId])
    return rows.map(({ entry }) => JSON.parse(entry) as Entry)
  } finally {
    sqlite.close()
  }
}
