// The button that saves the filtered entries of the audit log as JSON lines.

import { useState } from 'preact/hooks'
import { api, type AuditEntry } from '../../api/client.js'
import { readAll } from '../../api/use-list.js'
import { useOneAtATime } from '../../browser/use-one-at-a-time.js'
import { formatCount } from '../../format.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import type { AuditQuery } from './audit-filters.js'

/** A browser holds so many; `palimpsest audit export` has no limit. */
const MAX_ENTRIES = 100_000

export function ExportAudit({ query }: { query: AuditQuery }) {
  const [count, setCount] = useState<number>()
  const save = useOneAtATime(async () => {
    setCount(0)
    try {
      const { entries, nextCursor } = await readAll<AuditEntry>(
        (cursor) => api.GET('/audit', { params: { query: { limit: 1000, ...query, ...cursor } } }),
        { max: MAX_ENTRIES, onSlice: (list) => setCount(list.entries.length) },
      )
      saveLines(entries)
      const rest = nextCursor === null ? '' : ' Use “palimpsest audit export” on the server for all.'
      notify(`${formatCount(entries.length, 'entry', 'entries')} saved.${rest}`)
    } catch (error) {
      notifyFailure(error)
    }
    setCount(undefined)
  })
  return (
    <button type="button" onClick={() => void save()}>
      {count === undefined ? 'Export' : `Reading ${formatCount(count, 'entry', 'entries')}…`}
    </button>
  )
}

function saveLines(entries: readonly AuditEntry[]): void {
  const lines = entries.map((entry) => `${JSON.stringify(entry)}\n`)
  const url = URL.createObjectURL(new Blob(lines, { type: 'application/jsonl' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `audit-${new Date().toISOString().slice(0, 10)}.jsonl`
  link.click()
  URL.revokeObjectURL(url)
}
