// Refuses a data directory that is not the service's, and a user whose files the service could not use.

import { existsSync, statSync } from 'node:fs'
import { catalogFileIn, refuseLostCatalog } from '../../catalog/catalog-file.js'

/** DATA_DIR is wrong, or the command runs as the wrong user. */
export class WrongDataDir extends Error {
  override name = 'WrongDataDir'
}

/** Changes nothing. Throws WrongDataDir, and CatalogUnusable if repositories are there without a catalog. */
export function assertServiceData(dataDir: string): void {
  assertOwnUser(dataDir)
  if (existsSync(catalogFileIn(dataDir))) return
  if (existsSync(dataDir)) refuseLostCatalog(dataDir)
  throw new WrongDataDir(
    `DATA_DIR (${dataDir}) holds no data of a service: there is no catalog.db. Set DATA_DIR to the service's own, or start the service once.`,
  )
}

/** Throws WrongDataDir if another user owns the directory: the service could not write files that this user creates there. */
export function assertOwnUser(dataDir: string): void {
  const owner = existsSync(dataDir) ? statSync(dataDir).uid : undefined
  const user = process.geteuid?.()
  if (owner === undefined || user === undefined || owner === user) return
  throw new WrongDataDir(
    `DATA_DIR (${dataDir}) belongs to the user with the id ${owner}, and this command runs as the user with the id ${user}: ` +
      `the service could not use the files that it creates. Run it as that user: sudo -u '#${owner}' …, or make the folder this user's: chown -R ${user} ${dataDir}`,
  )
}
