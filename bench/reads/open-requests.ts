// Measures the list of open change requests of a site that has 1,000 of them, against 10.

import type { Row } from '../ground/row.js'
import { median, palimpsest, type RunningService, runService, timed } from '../ground/running-service.js'

const [FEW, MANY] = [10, 1_000]
/** An author has at most so many open ones. */
const OF_AUTHOR = 100
const ASKED = 40
/** As many as there are few, the list of the dashboard, and the longest slice. */
const LIMITS = [FEW, 50, 1_000] as const
const MAX_RATIO = 3

export async function benchOpenRequests(): Promise<Row[]> {
  const service = await runService()
  try {
    await propose(service, 0, FEW)
    const few = await listAll(service)
    await propose(service, FEW, MANY)
    const many = await listAll(service)
    return LIMITS.map((limit, at) => {
      const [ours = Number.NaN, peer = Number.NaN] = [many[at], few[at]]
      return {
        what: `GET the open change requests, ${MANY} of them against ${FEW}, at most ${limit} in the answer`,
        ...(limit <= 50 && { target: `at most ${MAX_RATIO} ×` }),
        ours: `${ours.toFixed(2)} ms`,
        peer: `${peer.toFixed(2)} ms`,
        ratio: ours / peer,
      }
    })
  } finally {
    await service.stop()
  }
}

/** Makes the change requests of these numbers, each with a page of its own. */
async function propose({ dataDir, port }: RunningService, from: number, to: number): Promise<void> {
  for (let n = from; n < to; ) {
    const key = await palimpsest(dataDir, 'keys', 'create', '--scopes', 'propose')
    for (const end = Math.min(to, n + OF_AUTHOR); n < end; n++) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/pages?path=/page-${n}&changeRequest=new`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'text/html' },
        body: `<p>${n}`,
      })
      if (!answer.ok) throw new Error(`PUT a page to a change request: ${answer.status} ${await answer.text()}`)
    }
  }
}

/** Returns the median milliseconds of a list with each limit. */
async function listAll(service: RunningService): Promise<number[]> {
  const { data } = JSON.parse((await service.get('/sites?slug=demo')).body.toString()) as { data: { id: string }[] }
  const list = async (limit: number) => {
    const { status, body } = await service.get(`/sites/${data[0]?.id}/change-requests?limit=${limit}`)
    if (status !== 200) throw new Error(`GET the open change requests: ${status} ${body.toString()}`)
  }
  const times = LIMITS.map((): number[] => [])
  for (let i = 0; i < ASKED; i++)
    for (const [at, limit] of LIMITS.entries()) times[at]?.push(await timed(() => list(limit)))
  return times.map(median)
}
