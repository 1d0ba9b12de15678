// Runs a service in its own process over a temporary folder, and sends requests to it over kept connections.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atEnd } from '../../test/servers/at-end.js'

/** BENCH_PROGRAM names the program of another build, such as that of an earlier commit. */
export const PROGRAM =
  process.env['BENCH_PROGRAM'] ?? fileURLToPath(new URL('../../program/bin/palimpsest.js', import.meta.url))

/** The options of `npm start`. */
const NODE_OPTIONS_OF_START = ['--v8-pool-size=1']

export interface Answer {
  status: number
  body: Buffer
}

export interface RunningService {
  dataDir: string
  port: number
  /** Has the scope `write` unless `scopes` says otherwise. */
  key: string
  /** Publishes to the default site unless another is named. Rejects on a status of 400 or more. */
  put(path: string, html: string, siteId?: string): Promise<Answer>
  /** Gets a page of a site. */
  visit(path: string, slug?: string): Promise<Answer>
  /** Gets a path below `/api/v1`, for the default site unless another is named. Accepts any status. */
  get(path: string, siteId?: string): Promise<Answer>
  pid: number
  /** All its processes: with roles there are two. */
  pids: readonly number[]
  /** From the start of the process to its greeting. The memory is 0 if the system does not report it. */
  greeted: { milliseconds: number; peakBytes: number }
  stop(): Promise<void>
}

export interface ServiceOptions {
  /** If omitted, a folder is made and removed with the service. */
  dataDir?: string
  /** A command to run the service under, such as `['taskset', '1']`; put before its own command line. */
  under?: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Scopes of the key. */
  scopes?: 'write' | 'admin'
  /** The role; all of them unless given. */
  role?: 'api' | 'sites'
  /** The port, where the greeting names another one: that of a proxy. */
  port?: number
}

/** Runs a command over a data directory and returns its output. Meanwhile this process notices when kept connections end. */
export async function palimpsest(dataDir: string, ...args: string[]): Promise<string> {
  return await commandLine({ DATA_DIR: dataDir }, ...args)
}

async function commandLine(given: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const env = { ...process.env, LOG_LEVEL: 'silent', ...given }
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args], { env })
  return stdout.trim()
}

export async function runService({
  dataDir: given,
  under = [],
  env: further = {},
  scopes = 'write',
  role,
  port: ownPort,
}: ServiceOptions = {}): Promise<RunningService> {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), 'palimpsest-bench-'))
  // If services are measured by turns, a connection to one stays idle while the others are measured.
  const common = {
    DATA_DIR: dataDir,
    PORT: String(ownPort ?? 0),
    LOG_LEVEL: 'silent',
    KEEP_ALIVE_SECONDS: '75',
    MAX_REQUESTS_PER_MINUTE: '0',
  }
  const env = { ...process.env, ...common, ...further }
  const [command, ...args] = [...under, process.execPath, ...NODE_OPTIONS_OF_START, PROGRAM, 'serve']
  const roleArgs = role === undefined ? [] : ['--role', role]
  const child = spawn(command, [...args, ...roleArgs], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const forget = atEnd(() => void child.kill('SIGKILL'))
  const started = performance.now()
  const [greeting] = (await once(child.stdout, 'data')) as [Buffer]
  const greeted = { milliseconds: performance.now() - started, peakBytes: peakOf(child.pid) }
  const port = Number(/localhost:(\d+)/.exec(greeting.toString())?.[1])
  child.stdout.resume()
  const key = await commandLine({ DATA_DIR: dataDir, ...further }, 'keys', 'create', '--scopes', scopes)
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const ask = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }))
      })
      sent.on('error', reject)
      sent.end(body)
    })
  const credentials = (siteId?: string) => ({
    authorization: `Bearer ${key}`,
    ...(siteId !== undefined && { 'x-service-site-id': siteId }),
  })
  const send: typeof ask = async (method, path, headers, body) => {
    const answer = await ask(method, path, headers, body)
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.toString()}`)
    return answer
  }
  return {
    dataDir,
    port,
    key,
    put: (path, html, siteId) =>
      send('PUT', `/api/v1/pages?path=${path}`, { ...credentials(siteId), 'content-type': 'text/html' }, html),
    visit: (path, slug = 'demo') => send('GET', path, { host: `${slug}.localhost:${port}` }),
    get: (path, siteId) => ask('GET', `/api/v1${path}`, credentials(siteId)),
    pid: child.pid ?? 0,
    pids: [child.pid ?? 0],
    greeted,
    async stop() {
      agent.destroy()
      // A service that the kernel killed has already ended.
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      forget()
      if (given === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns the peak resident memory of a process so far, in bytes. */
export function peakOf(pid: number | undefined): number {
  const path = `/proc/${pid}/status`
  return existsSync(path) ? Number(/VmHWM:\s+(\d+)/.exec(readFileSync(path, 'utf8'))?.[1]) * 1024 : 0
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Returns the milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
