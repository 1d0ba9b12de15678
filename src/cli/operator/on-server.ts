// The commands that run on the machine with the repositories. They load the whole service.

import type { Command } from 'commander'
import { CatalogNotReady, CatalogUnusable } from '../../catalog/catalog-file.js'
import { DataDirInUse } from '../../catalog/sqlite/data-dir-lock.js'
import { InvalidConfiguration } from '../../processes/config/config.js'
import { DatabaseUnavailable, DatabaseUnfit } from '../../nodes/postgres/database-errors.js'
import { addAudit } from './audit.js'
import { addBackup } from './backup.js'
import { addFsck } from './fsck.js'
import { addKeys } from './keys.js'
import { addLoginLink } from './login-link.js'
import { addMaintain } from './maintain.js'
import { WrongDataDir } from './own-data-dir.js'
import { addRecover } from './recover.js'
import { addReindex } from './reindex.js'
import { addServe } from './serve.js'
import { addSigning } from './signing.js'
import { addSites } from './sites.js'
import { addWorkspaces } from './workspaces.js'

/** Errors that the operator can fix, in addition to ServiceError. */
export const OPERATOR_ERRORS = [
  CatalogNotReady,
  CatalogUnusable,
  DataDirInUse,
  DatabaseUnavailable,
  DatabaseUnfit,
  InvalidConfiguration,
  WrongDataDir,
] as const

export function addServerCommands(program: Command): void {
  program.commandsGroup('On the server (DATA_DIR and the rest of docs/configuration.md):')
  for (const add of [
    addServe,
    addLoginLink,
    addKeys,
    addSites,
    addWorkspaces,
    addReindex,
    addFsck,
    addMaintain,
    addBackup,
    addRecover,
    addSigning,
    addAudit,
  ])
    add(program)
}
