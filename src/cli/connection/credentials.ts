// Stores the keys that a person logged in with: one for each service, in a file that only the user can read.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { invocation } from '../terminal/invocation.js'

type Environment = Readonly<Record<string, string | undefined>>

/** Keys by base URL, without a trailing slash. */
type Keys = Record<string, string>

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

/** Returns `PALIMPSEST_TOKEN`, or else `SERVICE_API_TOKEN`, or else the key that was stored for this service. */
export function findApiKey(env: Environment, baseUrl: string): string | undefined {
  return env['PALIMPSEST_TOKEN'] || env['SERVICE_API_TOKEN'] || readKeys(env)[baseUrl]
}

/** Throws NoApiKey. */
export function requireApiKey(env: Environment, baseUrl: string): string {
  const key = findApiKey(env, baseUrl)
  if (key === undefined) throw new NoApiKey(baseUrl)
  return key
}

/** Returns the path of the file. */
export function storeApiKey(env: Environment, baseUrl: string, key: string): string {
  return writeKeys(env, { ...readKeys(env), [baseUrl]: key })
}

/** Returns whether there was a key. */
export function removeApiKey(env: Environment, baseUrl: string): boolean {
  const { [baseUrl]: removed, ...others } = readKeys(env)
  if (removed === undefined) return false
  writeKeys(env, others)
  return true
}

/** Replaces the file atomically and returns its path. */
function writeKeys(env: Environment, keys: Keys): string {
  const path = credentialsPath(env)
  const next = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(next, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(next, path)
  } finally {
    rmSync(next, { force: true })
  }
  return path
}

/** Returns a path in the XDG base directory for configuration; on Windows in the roaming application data. */
function credentialsPath(env: Environment): string {
  const folder =
    env['XDG_CONFIG_HOME'] || (process.platform === 'win32' && env['APPDATA']) || join(homedir(), '.config')
  return join(folder, 'palimpsest', 'credentials.json')
}

/** Returns no keys if there is no file. Throws for a file in another form, so that nothing in it is lost. */
function readKeys(env: Environment): Keys {
  const path = credentialsPath(env)
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
  try {
    const keys: unknown = JSON.parse(text)
    if (typeof keys === 'object' && keys !== null && !Array.isArray(keys)) return keys as Keys
  } catch {
    // Reported below, with the path.
  }
  throw new Error(`${path} is not the JSON object that "palimpsest login" writes: fix or remove it`)
}
