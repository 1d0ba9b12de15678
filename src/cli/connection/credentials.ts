// Stores the logins of a person in a file that only the user can read. For each service it holds a key, or the tokens of a login by
// browser.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { invocation } from '../terminal/invocation.js'

type Environment = Readonly<Record<string, string | undefined>>

/** The tokens of a login by browser. */
export interface Tokens {
  clientId: string
  accessToken: string
  refreshToken: string
  /** RFC 3339. */
  expiresAt: string
  tokenEndpoint: string
  revocationEndpoint: string
}

/** Logins by base URL, without a trailing slash. */
type Logins = Record<string, string | Tokens>

export class NoApiKey extends Error {
  constructor(baseUrl: string) {
    super(`There is no key for ${baseUrl}: set PALIMPSEST_TOKEN, or run "${invocation()} login".`)
    this.name = 'NoApiKey'
  }
}

/** An address that names no service. Its message leaves the value out, which may hold a password. */
export class InvalidBaseUrl extends Error {
  override name = 'InvalidBaseUrl'
}

/**
 * Returns the service's address without a trailing slash: `PALIMPSEST_URL`, or else `BASE_URL`, which build tools set too, or else this
 * machine at `PORT`. Throws InvalidBaseUrl.
 */
export function apiBaseUrl(env: Environment): string {
  const name = env['PALIMPSEST_URL'] ? 'PALIMPSEST_URL' : 'BASE_URL'
  const text = env[name] || `http://localhost:${env['PORT'] || 8080}`
  if (URL.canParse(text)) {
    const { href, origin, pathname, protocol } = new URL(text)
    if (/^https?:$/.test(protocol) && href === origin + pathname) return text.trim().replace(/\/+$/, '')
  }
  throw new InvalidBaseUrl(
    `${name} must be an http or https URL without query and user, such as http://localhost:8080.`,
  )
}

/** Returns `PALIMPSEST_TOKEN`, or else `SERVICE_API_TOKEN`, or else the key or access token that was stored for this service. */
export function findApiKey(env: Environment, baseUrl: string): string | undefined {
  const login = readLogin(env, baseUrl)
  return env['PALIMPSEST_TOKEN'] || env['SERVICE_API_TOKEN'] || (typeof login === 'string' ? login : login?.accessToken)
}

/** Returns where the key or token that `findApiKey` returns is set: a variable, or the path of the file. */
export function sourceOfKey(env: Environment): string {
  return ['PALIMPSEST_TOKEN', 'SERVICE_API_TOKEN'].find((name) => env[name]) ?? credentialsPath(env)
}

/** Returns the stored login alone. */
export function readLogin(env: Environment, baseUrl: string): string | Tokens | undefined {
  return readLogins(env)[baseUrl]
}

/** Returns the tokens that the commands use; undefined if they use a key. */
export function findTokens(env: Environment, baseUrl: string): Tokens | undefined {
  const login = readLogin(env, baseUrl)
  const isSet = env['PALIMPSEST_TOKEN'] || env['SERVICE_API_TOKEN']
  return isSet || typeof login === 'string' ? undefined : login
}

/** Throws NoApiKey. */
export function requireApiKey(env: Environment, baseUrl: string): string {
  const key = findApiKey(env, baseUrl)
  if (key === undefined) throw new NoApiKey(baseUrl)
  return key
}

/** Returns the path of the file. */
export function storeLogin(env: Environment, baseUrl: string, login: string | Tokens): string {
  return writeLogins(env, { ...readLogins(env), [baseUrl]: login })
}

/** Returns the removed login. */
export function removeLogin(env: Environment, baseUrl: string): string | Tokens | undefined {
  const { [baseUrl]: removed, ...others } = readLogins(env)
  if (removed !== undefined) writeLogins(env, others)
  return removed
}

/** Replaces the file atomically and returns its path. */
function writeLogins(env: Environment, logins: Logins): string {
  const path = credentialsPath(env)
  const next = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(next, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(next, path)
  } finally {
    rmSync(next, { force: true })
  }
  return path
}

/** Returns a path in the XDG base directory for configuration; on Windows in the roaming application data. */
export function credentialsPath(env: Environment): string {
  const folder =
    env['XDG_CONFIG_HOME'] || (process.platform === 'win32' && env['APPDATA']) || join(homedir(), '.config')
  return join(folder, 'palimpsest', 'credentials.json')
}

/** Returns no logins if there is no file. Throws for a file in another form, so that nothing in it is lost. */
function readLogins(env: Environment): Logins {
  const path = credentialsPath(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    const logins: unknown = JSON.parse(text)
    if (typeof logins === 'object' && logins !== null && !Array.isArray(logins)) return logins as Logins
  } catch {
    // Reported below, with the path.
  }
  throw new Error(`${path} is not the JSON object that "palimpsest login" writes: fix or remove it`)
}
