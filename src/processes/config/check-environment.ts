// Checks that the schema cannot express: combinations of values, and the content of texts. One line for each problem.

import { relative, resolve } from 'node:path'
import { isNetwork } from '../../model/hosts/networks.js'
import { isWebOrigin } from '../../model/hosts/web-origin.js'
import { InvalidDatabaseUrl, parseDatabaseUrl } from '../../nodes/postgres/database-url.js'
import { checkAddress } from './address.js'
import { leastMemoryBytesOf, listOf, memoryBytesOf } from './environment-values.js'
import { checkIntrospection } from './introspection.js'
import { checkProviders } from './sign-in-providers.js'
import type { Environment } from './schema.js'

export function checkEnvironment(env: Environment): string[] {
  return [
    checkAddress,
    checkDatabase,
    checkNode,
    checkMemory,
    checkProxies,
    checkOrigins,
    checkRemotes,
    checkSecrets,
    checkIntrospection,
    checkProviders,
  ].flatMap((check) => check(env))
}

function checkDatabase({ DATABASE_URL }: Environment): string[] {
  if (DATABASE_URL === undefined) return []
  try {
    parseDatabaseUrl(DATABASE_URL)
    return []
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error
    return [`DATABASE_URL ${error.message}`]
  }
}

function checkNode({ NODE_NUMBER, DATABASE_URL }: Environment): string[] {
  if (NODE_NUMBER === undefined || DATABASE_URL !== undefined) return []
  return ['NODE_NUMBER is for nodes: set DATABASE_URL, or leave it out']
}

function checkMemory(env: Environment): string[] {
  const least = leastMemoryBytesOf(env)
  return memoryBytesOf(env) >= least
    ? []
    : [`MEMORY_BYTES must be at least ${least}: room for two of the longest bodies, which follow from MAX_HTML_BYTES`]
}

function checkProxies(env: Environment): string[] {
  return listOf(env.TRUSTED_PROXIES)
    .filter((item) => !isNetwork(item))
    .map((item) => `TRUSTED_PROXIES has "${item}", which is neither an address nor a network such as 10.0.0.0/8`)
}

function checkOrigins(env: Environment): string[] {
  return listOf(env.ALLOWED_ORIGINS)
    .filter((item) => !isWebOrigin(item))
    .map((item) => `ALLOWED_ORIGINS has "${item}", which is no origin such as https://app.example`)
}

function checkRemotes(env: Environment): string[] {
  return listOf(env.REMOTE_ALLOW_PRIVATE)
    .filter((item) => !isNetwork(item) && !/^[a-z0-9_.-]+$/.test(item))
    .map((item) => `REMOTE_ALLOW_PRIVATE has "${item}", which is neither a host name nor a network such as 10.0.0.0/8`)
}

/** Checks that the key file is outside the data directory: a copy of the directory would hold the key with the sealed credentials. */
function checkSecrets({ DATA_DIR, SECRETS_KEY_FILE }: Environment): string[] {
  if (SECRETS_KEY_FILE === undefined || relative(resolve(DATA_DIR), resolve(SECRETS_KEY_FILE)).startsWith('..'))
    return []
  return ['SECRETS_KEY_FILE must lie outside of DATA_DIR']
}
