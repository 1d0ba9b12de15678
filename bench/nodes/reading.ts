// Measures how much the look at PostgreSQL adds to a hosted page: the same GET from a node and from the embedded service, by turns, for one
// visitor and for 32 at once.

import { join } from 'node:path'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'
import { startNode, withDatabase } from './ground.js'

const WARM_UP = 500
const VISITS = 2000
const ROUNDS = 4
const TOGETHER = 32
const PATH = '/page'

export async function benchNodeReading(): Promise<Row[]> {
  return await withFolder((folder) =>
    withDatabase(false, async (_, url) => {
      const node = await startNode(join(folder, 'node'), url)
      const embedded = await runService({ dataDir: join(folder, 'embedded') })
      try {
        for (const service of [node, embedded]) await service.put(PATH, 'x'.repeat(2048))
        return [
          ...(await compare(node, embedded, 1, 'by one visitor')),
          ...(await compare(node, embedded, TOGETHER, `by ${TOGETHER} visitors at once`)),
        ]
      } finally {
        await node.stop()
        await embedded.stop()
      }
    }),
  )
}

async function compare(node: RunningService, embedded: RunningService, visitors: number, by: string): Promise<Row[]> {
  const times = new Map<RunningService, number[]>([
    [node, []],
    [embedded, []],
  ])
  for (let round = -1; round < ROUNDS; round++)
    for (const [service, all] of times) {
      const some = await visitTimes(service, visitors, round < 0 ? WARM_UP : VISITS)
      if (round >= 0) all.push(...some)
    }
  const [ours, peer] = [times.get(node) ?? [], times.get(embedded) ?? []]
  return [
    row(`a hosted page of 2 KB from a node, ${by}, against the embedded service`, median(ours), median(peer)),
    row('the same, p99', at99(ours), at99(peer)),
  ]
}

async function visitTimes(service: RunningService, visitors: number, visits: number): Promise<number[]> {
  const all: number[] = []
  const visit = async () => {
    for (let i = 0; i < visits / visitors; i++) all.push(await timed(() => service.visit(PATH)))
  }
  await Promise.all(Array.from({ length: visitors }, visit))
  return all
}

function at99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}

function row(what: string, ours: number, peer: number): Row {
  return {
    what: `${what}: ${(ours - peer).toFixed(2)} ms more`,
    ours: `${ours.toFixed(2)} ms`,
    peer: `${peer.toFixed(2)} ms`,
    ratio: ours / peer,
  }
}
