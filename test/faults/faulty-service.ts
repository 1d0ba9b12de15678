// A service in a process of its own that is meant to end badly.

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../src/main.js', import.meta.url))
/** Milliseconds: a disk that is gone may leave a request without an answer. */
const PATIENCE = 2000

export interface FaultyService {
  /** Publishes and answers the commit. Rejects unless it is acknowledged. */
  publish(path: string, html: string): Promise<string>
  /** SIGKILL. */
  kill(): Promise<void>
}

export async function startFaultyService(dataDir: string): Promise<FaultyService> {
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent', DISK_RESERVE_BYTES: '0' }
  const child = spawn(process.execPath, [MAIN, 'serve'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [greeting] = (await once(child.stdout, 'data')) as [Buffer]
  child.stdout.resume()
  const port = /localhost:(\d+)/.exec(greeting.toString())?.[1]
  const key = execFileSync(process.execPath, [MAIN, 'keys', 'create', '--scopes', 'write'], {
    env,
    encoding: 'utf8',
  }).trim()
  return {
    async publish(path, html) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/pages?path=${path}`, {
        method: 'PUT',
        body: html,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'text/html' },
        signal: AbortSignal.timeout(PATIENCE),
      })
      if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
      const { data } = (await answer.json()) as { data: { version: { id: string } } }
      return data.version.id
    },
    async kill() {
      child.kill('SIGKILL')
      await ended
    },
  }
}
