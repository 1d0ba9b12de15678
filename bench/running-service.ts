// A service in a process of its own over a temporary folder, and requests to it over kept connections.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url))

export interface Answer {
  status: number
  body: Buffer
}

export interface RunningService {
  dataDir: string
  /** Sends to the API; a status of 400 or more is an error. */
  put(path: string, html: string): Promise<Answer>
  /** Gets a page of the site `demo`. */
  visit(path: string): Promise<Answer>
  stop(): Promise<void>
}

export async function runService(): Promise<RunningService> {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-bench-'))
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const [greeting] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(/localhost:(\d+)/.exec(greeting.toString())?.[1])
  child.stdout.resume()
  const key = execFileSync(process.execPath, [MAIN, 'keys', 'create', '--scopes', 'write'], {
    env,
    encoding: 'utf8',
  }).trim()
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    new Promise<Answer>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const status = response.statusCode ?? 0
          if (status >= 400) reject(new Error(`${method} ${path}: ${status} ${Buffer.concat(chunks).toString()}`))
          else resolve({ status, body: Buffer.concat(chunks) })
        })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return {
    dataDir,
    put: (path, html) =>
      send('PUT', `/api/v1/pages?path=${path}`, { authorization: `Bearer ${key}`, 'content-type': 'text/html' }, html),
    visit: (path) => send('GET', path, { host: `demo.localhost:${port}` }),
    async stop() {
      agent.destroy()
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const started = performance.now()
  await work()
  return performance.now() - started
}
