// A search for bytes by which one client's request becomes another one's: random streams, each followed by a request of an innocent client
// through the same endpoint. Each answer must be that of the client's own request, and no repository may have anything of another tenant.
//
// SMUGGLING_SEED repeats a search, as far as the order of what happens at once allows.

import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as fc from 'fast-check'
import type { FaultProgram, Report } from '../program.js'
import { connectTo, type Endpoint, type Ground, openGround } from './endpoints.js'
import { bytesOf, type RandomStream, randomStreams } from './random-stream.js'
import { Tenant } from './tenant.js'

/** Each endpoint gets its share of them. */
const STREAMS = 10_000
const LANES = 16
const TENANTS = 4
/** Wait for the first bytes of an answer, on a busy machine too, and below for further ones. */
const PATIENCE_MS = 2000
const MORE_PATIENCE_MS = 100
const MAX_SEED = 2 ** 31

export const smuggling: FaultProgram = {
  name: 'smuggling',
  about: "random streams with odd framing, straight and through nginx and Caddy; each answer must be its own client's",
  needs: [],
  run(report) {
    const seed = Number(process.env['SMUGGLING_SEED'] ?? Math.trunc(Math.random() * MAX_SEED))
    console.log(`SMUGGLING_SEED=${seed} repeats this search`)
    return searchStreams(report, { streams: STREAMS, seed, withProxies: true })
  },
}

export interface Search {
  streams: number
  seed: number
  /** Sends streams through proxies, too. */
  withProxies: boolean
}

export async function searchStreams(report: Report, { streams, seed, withProxies }: Search): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-smuggling-'))
  let ground: Ground | undefined
  try {
    ground = await openGround(folder, withProxies)
    const { endpoints } = ground
    const field = await Field.prepare(ground, report)
    const waiting = fc.sample(randomStreams, { numRuns: streams, seed }).entries()
    const lane = async () => {
      for (const [number, stream] of waiting) {
        const endpoint = endpoints[number % endpoints.length] as Endpoint
        report.begin(`stream ${number} through ${endpoint.name}`, streams)
        for (const wrong of await field.tryStream(number, stream, endpoint))
          report.violate(`seed ${seed}, stream ${number}: ${wrong}`)
      }
    }
    await Promise.all(Array.from({ length: LANES }, lane))
    for (const wrong of field.judgeRepositories()) report.violate(`seed ${seed}: ${wrong}`)
  } finally {
    await ground?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A service with its tenants, and with the one that sends the streams. */
class Field {
  readonly #sender: Tenant
  readonly #tenants: readonly Tenant[]

  private constructor(sender: Tenant, tenants: readonly Tenant[]) {
    this.#sender = sender
    this.#tenants = tenants
  }

  static async prepare(ground: Ground, report: Report): Promise<Field> {
    const tenants: Tenant[] = []
    for (let i = 0; i < TENANTS; i++) tenants.push(await Tenant.make(ground.dataDir, `tenant-${i}`))
    for (const tenant of tenants) {
      const wrong = await tenant.publishPrecious(ground.endpoints[0] as Endpoint)
      if (wrong !== undefined) throw new Error(wrong)
      report.acknowledge()
    }
    return new Field(await Tenant.make(ground.dataDir, 'sender'), tenants)
  }

  /** Returns the faults of the answers to the stream, and to an innocent client after it. */
  async tryStream(number: number, stream: RandomStream, endpoint: Endpoint): Promise<string[]> {
    const bytes = bytesOf(stream, { number, key: this.#sender.key, host: endpoint.host })
    const answer = await send(connectTo(endpoint), bytes, stream)
    const tenant = this.#tenants[number % TENANTS] as Tenant
    const wrong = await tenant.askForOwn(endpoint)
    return [...this.#judgeAnswer(number, answer), ...(wrong === undefined ? [] : [wrong])].map(
      (what) => `${what}; after ${JSON.stringify(stream)}`,
    )
  }

  #judgeAnswer(number: number, answer: string): string[] {
    const wrong = this.#tenants.flatMap(({ secrets }) => secrets).filter((secret) => answer.includes(secret))
    const ids = Array.from(answer.matchAll(/^x-request-id: s(\d+)-(\d)\r$/gim), ([, of, at]) => [
      Number(of),
      Number(at),
    ])
    const isOwn = ids.every(([of, at = 0], index) => of === number && at > (ids[index - 1]?.[1] ?? -1))
    return [
      ...wrong.map((secret) => `it was answered with ${secret}`),
      ...(isOwn ? [] : [`it was answered with the requests ${ids.map((id) => id.join('-')).join(' ')}`]),
    ]
  }

  judgeRepositories(): string[] {
    const all = [this.#sender, ...this.#tenants]
    const others = (one: Tenant) => all.filter((tenant) => tenant !== one).flatMap(({ secrets }) => secrets)
    return [
      ...this.#sender.findSecrets(others(this.#sender)),
      ...this.#tenants.flatMap((tenant) => tenant.judgeRepository(others(tenant))),
    ]
  }
}

/** Answers all that came back until the connection ended, or the client lost its patience. */
async function send(socket: Socket, bytes: string, { pieces, ending }: RandomStream): Promise<string> {
  let answer = ''
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let late = setTimeout(() => socket.destroy(), PATIENCE_MS)
  socket.setEncoding('latin1').on('error', () => undefined)
  socket.on('data', (data: string) => {
    answer += data
    clearTimeout(late)
    late = setTimeout(() => socket.destroy(), MORE_PATIENCE_MS)
  })
  const size = Math.ceil(bytes.length / pieces)
  for (let from = 0; from < bytes.length; from += size) {
    socket.write(bytes.slice(from, from + size), 'latin1')
    await nextTurn()
  }
  if (ending === 'ends') socket.end()
  if (ending === 'leaves') socket.once('data', () => socket.destroy())
  await ended
  clearTimeout(late)
  return answer
}
