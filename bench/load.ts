// Load on a server from a core of its own: wrk for GET, and connections that ask for nothing but fields for HEAD, on which
// wrk waits for a body.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

/** The one core of every server that is measured, and the other of who measures it. */
export const SERVER_CORE = '0'
const LOAD_CORE = '1'
const SECONDS = process.env['BENCH_QUICK'] === '1' ? 1 : 3
const CONNECTIONS = 64
const FIELD_LOAD = fileURLToPath(new URL('./field-load.js', import.meta.url))

const run = promisify(execFile)

export type Fields = Record<string, string>

export interface Ask {
  what: string
  path: string
  headers?: Fields
}

export interface Load {
  perSecond: number
  /** `?` where it is not measured. */
  p99: string
}

/** GET over 64 kept connections. Throws when an answer is an error. */
export async function loadWith(port: number, { path, headers = {} }: Ask): Promise<Load> {
  const fields = { Host: `demo.localhost:${port}`, ...headers }
  const options = Object.entries(fields).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const wrk = ['wrk', '-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--latency', ...options]
  const { stdout } = await run('taskset', ['-c', LOAD_CORE, ...wrk, `http://127.0.0.1:${port}${path}`])
  const [, perSecond = Number.NaN] = /Requests\/sec:\s+([\d.]+)/.exec(stdout) ?? []
  const [, p99 = '?'] = /99%\s+(\S+)/.exec(stdout) ?? []
  if (/Non-2xx/.test(stdout)) throw new Error(`Not what was asked for: ${stdout}`)
  return { perSecond: Number(perSecond), p99 }
}

/** Requests whose answers have no body, over 64 kept connections. */
export async function loadFields(port: number, method: 'GET' | 'HEAD', { path, headers = {} }: Ask): Promise<Load> {
  const fields = Object.entries({ Host: `demo.localhost:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  )
  const request = `${[`${method} ${path} HTTP/1.1`, ...fields].join('\r\n')}\r\n\r\n`
  const args = [process.execPath, FIELD_LOAD, String(port), String(CONNECTIONS), String(SECONDS), request]
  const { stdout } = await run('taskset', ['-c', LOAD_CORE, ...args])
  return { perSecond: Number(stdout), p99: '?' }
}

export async function isInstalled(command: string): Promise<boolean> {
  return run('which', [command]).then(
    () => true,
    () => false,
  )
}
