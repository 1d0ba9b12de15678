// The keys that a person logged in with: one a service, in a file of the user's configuration folder that nobody else can read.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** By base URL, without a slash at the end. */
type Keys = Record<string, string>

/** Nobody said with which key to speak to the service. */
export class NoApiKey extends Error {
  constructor(baseUrl: string) {
    super(`no key for ${baseUrl}: set SERVICE_API_TOKEN, or run "palimpsest login" on a terminal`)
    this.name = 'NoApiKey'
  }
}

/** Where the service is for those who call it: `BASE_URL`, else this machine at `PORT`. */
export function apiBaseUrl(env: Environment): string {
  return (env['BASE_URL'] || `http://localhost:${env['PORT'] || 8080}`).replace(/\/+$/, '')
}

/** `SERVICE_API_TOKEN`, else the key that was stored for this service. */
export function findApiKey(env: Environment, baseUrl: string): string | undefined {
  return env['SERVICE_API_TOKEN'] || readKeys(env)[baseUrl]
}

/** Throws NoApiKey. */
export function requireApiKey(env: Environment, baseUrl: string): string {
  const key = findApiKey(env, baseUrl)
  if (key === undefined) throw new NoApiKey(baseUrl)
  return key
}

/** Replaces the file as a whole, so that a crash leaves the old one or the new. Returns its path. */
export function storeApiKey(env: Environment, baseUrl: string, key: string): string {
  const path = credentialsPath(env)
  const keys = { ...readKeys(env), [baseUrl]: key }
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

/** The XDG base directory for configuration; on Windows the roaming application data. */
function credentialsPath(env: Environment): string {
  const folder =
    env['XDG_CONFIG_HOME'] || (process.platform === 'win32' && env['APPDATA']) || join(homedir(), '.config')
  return join(folder, 'palimpsest', 'credentials.json')
}

/** Nothing where there is no file. Throws for one that is no credentials file, so that nothing in it is lost. */
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
    // Said below, with the path.
  }
  throw new Error(`${path} is not the JSON object that "palimpsest login" writes: mend or remove it`)
}
