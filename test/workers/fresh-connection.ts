// Requests on connections of their own, so that any of the processes may take each.

import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { listProcesses } from '../programs/processes.js'

export interface Answer {
  status: number
  body: string
}

/** GET of a page of a site. */
export function visitAnew(port: number, slug: string, path: string): Promise<Answer> {
  return answerTo(
    request({ host: '127.0.0.1', port, path, agent: false, headers: { Host: `${slug}.localhost:${port}` } }).end(),
  )
}

/** Several at once: more than there are processes, so that hardly one is left out. */
export function visitEverywhere(port: number, slug: string, path: string): Promise<Answer[]> {
  return Promise.all(Array.from({ length: 8 }, () => visitAnew(port, slug, path)))
}

export async function answerTo(sent: ClientRequest): Promise<Answer> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, body: await text(response) }
}

/** Process ids of the workers of a service. */
export function workersOf(pid: number): number[] {
  const workers = listProcesses().filter(
    ({ parent, command }) => parent === pid && command.includes('workers/worker.js'),
  )
  return workers.map((worker) => worker.pid)
}

/** One of them. Throws where there is none: signals to process 0 would go to the tests themselves. */
export function aWorkerOf(pid: number): number {
  const [worker] = workersOf(pid)
  if (worker === undefined) throw new Error(`process ${pid} has no worker`)
  return worker
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
