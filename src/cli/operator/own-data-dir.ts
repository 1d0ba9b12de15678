// Refuses a data directory that is not the service's, and a user whose files the service could not use.

import { existsSync, statSync } from 'node:fs'
import { catalogFileIn, refuseLostCatalog } from '../../catalog/catalog-file.js'
import { DEFAULT_DATA_DIR } from '../../processes/config/schema.js'
import { apiBaseUrl, findApiKey } from '../connection/credentials.js'

/** DATA_DIR is wrong, or the command runs as the wrong user. */
export class WrongDataDir extends Error {
  override name = 'WrongDataDir'
}

/**
 * Whether a command that also works over the API is to use the data of this machine. Without a key and an address it is, and then says
 * what is missing.
 */
export function isOnServer(env = process.env): boolean {
  if (env['DATA_DIR'] || env['DATABASE_URL']) return true
  if (env['PALIMPSEST_URL']) return false
  if (existsSync(catalogFileIn(DEFAULT_DATA_DIR))) return true
  return findApiKey(env, apiBaseUrl(env)) === undefined
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
