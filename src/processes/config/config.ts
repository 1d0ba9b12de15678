// The configuration: environment variables, checked against one schema; all problems are reported at once.

import { resolve } from 'node:path'
import { totalmem } from 'node:os'
import type { ProviderSettings } from '../../catalog/identity/provider-settings.js'
import type { Sizes } from '../../admission/row.js'
import type { Limits } from '../../model/limits.js'
import { connectionsToKeepOpen } from '../../threads/usable-descriptors.js'
import type { Environment } from './schema.js'
import type { HttpLimits } from '../../protocols/http/server/http-server.js'
import type { IntegrityLimits } from '../../repository/health/integrity.js'
import type { Address } from './address.js'
import { checkEnvironment } from './check-environment.js'
import { listOf, memoryBytesOf } from './environment-values.js'
import { type IntrospectionConfig, introspectionOf } from './introspection.js'
import { checkGoneSettings } from './gone-settings.js'
import { providersOf } from './sign-in-providers.js'
import { hasSharp } from './has-sharp.js'
import { readEnvironment } from './read-environment.js'

export interface Config {
  port: number
  host: string
  /** As browsers write an origin; undefined if it follows from the port: see `addressFor`. */
  baseUrl: string | undefined
  siteDomain: string | undefined
  /** Other names of the base host. */
  baseHosts: readonly string[]
  /** Origins of the web pages that may use every key without origins of its own. */
  allowedOrigins: readonly string[]
  dataDir: string
  /** URL of the database that several machines share; undefined if this machine has all data. */
  databaseUrl: string | undefined
  /** Whether the operator fences the database: a replaced primary is always cut off. */
  isFenced: boolean
  /** Number of this node, which marks everything that only this node has. */
  nodeNumber: number | undefined
  /** Seconds for which a node without the database still shows public pages as it last knew them. */
  serveStaleSeconds: number
  /** Group, by name or number, that may read the data directory; undefined if only the service's user may. */
  dataGroup: string | undefined
  logLevel: string
  allowSharedDomain: boolean
  /** Addresses and networks of the proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: readonly string[]
  http: HttpLimits
  /** The sizes of gates, memory and rate limits. */
  sizes: Sizes
  /** Characters of one site's pages and records that are searched. */
  maxSearchedCharacters: number
  introspection: IntrospectionConfig | undefined
  /** Identity providers at which people sign in. */
  signInProviders: readonly ProviderSettings[]
  /** Hosts and networks of private remotes that sites may be imported from and mirrored to. */
  privateRemotes: readonly string[]
  /** File with the key that seals credentials of mirrors; undefined if none are stored. */
  secretsKeyFile: string | undefined
  /** Speed of the background check of stored objects. */
  integrity: IntegrityLimits
  limits: Limits
}

/** The default of `CACHE_BYTES` is this share of the memory that the process may use, up to a maximum. */
const CACHE_SHARE = 1 / 8
const MAX_DEFAULT_CACHE_BYTES = 64 * 1024 * 1024

const HEADERS_TIMEOUT_SECONDS = 10
const REQUEST_TIMEOUT_SECONDS = 120
const MAX_REQUESTS_PER_CONNECTION = 10_000
const SLOW_SECONDS = 30
/** One address may have this share of MAX_CONNECTIONS; at most half of all connections, where few descriptors allow few of them. */
const CONNECTIONS_SHARE = 1 / 10
const MAX_SEARCHED_CHARACTERS = 1024 * 1024 * 1024

/** Lists every problem of a configuration, one line each. */
export class InvalidConfiguration extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n${problems.map((line) => `  - ${line}`).join('\n')}`)
    this.name = 'InvalidConfiguration'
    this.problems = problems
  }
}

/** Reads the names of docs/configuration.md from `env`; empty values count as absent. Throws InvalidConfiguration. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const { values, problems } = readEnvironment(env)
  problems.push(...checkGoneSettings(env))
  problems.push(...checkEnvironment(values))
  if (problems.length > 0) throw new InvalidConfiguration(problems)
  return toConfig(values)
}

function toConfig(env: Environment): Config {
  const maxConnections = connectionsToKeepOpen(env.MAX_CONNECTIONS)
  return {
    port: env.PORT,
    host: env.HOST,
    baseUrl: env.BASE_URL === undefined ? undefined : new URL(env.BASE_URL).origin,
    siteDomain: env.SITE_DOMAIN?.toLowerCase(),
    baseHosts: listOf(env.BASE_HOSTS),
    allowedOrigins: listOf(env.ALLOWED_ORIGINS),
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    isFenced: env.FENCED,
    nodeNumber: env.NODE_NUMBER,
    serveStaleSeconds: env.SERVE_STALE_SECONDS,
    dataGroup: env.DATA_GROUP,
    logLevel: env.LOG_LEVEL,
    allowSharedDomain: env.ALLOW_SHARED_DOMAIN,
    trustedProxies: listOf(env.TRUSTED_PROXIES),
    http: {
      headersTimeoutSeconds: HEADERS_TIMEOUT_SECONDS,
      requestTimeoutSeconds: REQUEST_TIMEOUT_SECONDS,
      keepAliveSeconds: env.KEEP_ALIVE_SECONDS,
      maxConnections,
      maxConnectionsPerAddress: Math.ceil(Math.min(env.MAX_CONNECTIONS * CONNECTIONS_SHARE, maxConnections / 2)),
      maxRequestsPerConnection: MAX_REQUESTS_PER_CONNECTION,
      minBytesPerSecond: env.MIN_BYTES_PER_SECOND,
      slowSeconds: SLOW_SECONDS,
    },
    sizes: {
      memoryBytes: memoryBytesOf(env),
      taskProcesses: env.TASK_PROCESSES,
      maxRequestsPerMinute: env.MAX_REQUESTS_PER_MINUTE,
      maxSearchesPerAddress: env.MAX_SEARCHES_PER_ADDRESS,
    },
    maxSearchedCharacters: MAX_SEARCHED_CHARACTERS,
    introspection: introspectionOf(env),
    signInProviders: providersOf(env),
    privateRemotes: listOf(env.REMOTE_ALLOW_PRIVATE),
    secretsKeyFile: env.SECRETS_KEY_FILE === undefined ? undefined : resolve(env.SECRETS_KEY_FILE),
    integrity: {
      bytesPerSecond: env.CHECK_BYTES_PER_SECOND,
      intervalSeconds: env.CHECK_INTERVAL_SECONDS,
    },
    limits: {
      maxHtmlBytes: env.MAX_HTML_BYTES,
      minBytesPerSecond: env.MIN_BYTES_PER_SECOND,
      maxFileBytes: env.MAX_FILE_BYTES,
      maxDeployBytes: env.MAX_DEPLOY_BYTES,
      maxPushBytes: env.MAX_PUSH_BYTES,
      cacheBytes: env.CACHE_BYTES ?? Math.min(MAX_DEFAULT_CACHE_BYTES, Math.floor(usableMemory() * CACHE_SHARE)),
      pictureCacheBytes: hasSharp() ? env.PICTURE_CACHE_BYTES : 0,
      maxWorkspaceBytes: env.MAX_WORKSPACE_BYTES,
      maxWorkspacePages: env.MAX_WORKSPACE_PAGES,
      maxWorkspaceSites: env.MAX_WORKSPACE_SITES,
      diskReserveBytes: env.DISK_RESERVE_BYTES,
      sessionDays: env.SESSION_DAYS,
      auditDays: env.AUDIT_DAYS,
      writerThreads: env.WRITER_THREADS,
    },
  }
}

/** Returns the address, once the port is known. */
export function addressFor(config: Config, port: number): Address {
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`
  return { baseUrl, siteDomain: config.siteDomain ?? new URL(baseUrl).host }
}

/** Returns bytes: the machine's memory, or the limit of the control group if that is less. */
function usableMemory(): number {
  const held = process.constrainedMemory()
  return held > 0 ? Math.min(held, totalmem()) : totalmem()
}
