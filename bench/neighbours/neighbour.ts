// A process that is a good neighbour: a visitor, a reader and a publisher at fixed rates. It sends each request at its planned
// time, even if earlier ones are unanswered, and measures from that time. So a stall counts for every request that it delays.

import { setPriority } from 'node:os'
import { type Answer, Tenant, type TenantData } from './tenant.js'

export interface NeighbourData {
  tenant: TenantData
  slug: string
}

export type Role = 'visitor' | 'reader' | 'publisher'

/** Milliseconds of each successful request, by role; for failed ones the status, or the reason why there is none. */
export type Felt = Record<Role, { times: number[]; failures: (number | string)[] }>

export type ToNeighbour = { prepare: NeighbourData } | { runForMs: number }

const RATES: Readonly<Record<Role, number>> = { visitor: 100, reader: 20, publisher: 5 }
const PAGES = 20
/** One in this many visitor requests is for a large file. */
const LARGE_EVERY = 50
const LARGE_BYTES = 3 * 1024 * 1024
const TICK_MS = 2
/** Lower than the service's, higher than the attackers'. */
const LOW_PRIORITY = 5

type Ask = (number: number) => Promise<Answer>

let asks: Record<Role, Ask> | undefined

setPriority(LOW_PRIORITY)
process.once('disconnect', () => process.exit())
process.on('message', (message: ToNeighbour) => {
  const work = 'prepare' in message ? prepare(message.prepare).then(() => 'prepared') : measure(message.runForMs)
  work.then(
    (answer) => process.send?.(answer),
    (error: unknown) => process.send?.({ failed: String(error) }),
  )
})

async function prepare({ tenant: data, slug }: NeighbourData): Promise<void> {
  const tenant = new Tenant(data)
  const ids: string[] = []
  const hosted = new Map<string, Buffer>()
  for (let page = 0; page < PAGES; page++) {
    const html = `<title>${page}</title>${'<p>text</p>'.repeat(100 * (page + 1))}`
    ids.push((await tenant.putPage(`/page-${page}`, html)).id)
    hosted.set(`/page-${page}`, Buffer.from(html))
  }
  await tenant.putPage('/large', 'x'.repeat(LARGE_BYTES))
  hosted.set('/large', Buffer.alloc(LARGE_BYTES, 'x'))
  asks = {
    visitor: async (number) => {
      const path = number % LARGE_EVERY === 0 ? '/large' : `/page-${number % PAGES}`
      const answer = await tenant.visit(slug, path)
      const isRight = answer.status !== 200 || hosted.get(path)?.equals(answer.body) === true
      return isRight ? answer : { ...answer, status: 0, failure: 'other bytes' }
    },
    reader: (number) => tenant.api(`/pages/${ids[number % PAGES]}`),
    publisher: async (number) => {
      const path = `/published-${number % PAGES}`
      return await tenant.api(`/pages?path=${path}`, { method: 'PUT', body: `<title>${Math.random()}</title>` })
    },
  }
}

async function measure(runForMs: number): Promise<Felt> {
  const felt: Felt = {
    visitor: { times: [], failures: [] },
    reader: { times: [], failures: [] },
    publisher: { times: [], failures: [] },
  }
  if (asks === undefined) throw new Error('prepare comes first')
  const started = performance.now()
  const roles = Object.entries(asks) as [Role, Ask][]
  await Promise.all(
    roles.map(([role, ask]) =>
      everyPlannedTime(started, runForMs, RATES[role], async (number, plannedAt) => {
        const { status, failure } = await ask(number)
        const { times, failures } = felt[role]
        if (status >= 200 && status < 300) times.push(performance.now() - plannedAt)
        else failures.push(failure ?? status)
      }),
    ),
  )
  return felt
}

/** Resolves once everything that it began has ended. */
function everyPlannedTime(
  started: number,
  runForMs: number,
  perSecond: number,
  begin: (number: number, plannedAt: number) => Promise<void>,
): Promise<void> {
  const begun: Promise<void>[] = []
  const all = Math.floor((runForMs / 1000) * perSecond)
  return new Promise((resolve) => {
    const tick = setInterval(() => {
      const plannedAt = () => started + (begun.length * 1000) / perSecond
      while (begun.length < all && plannedAt() <= performance.now()) begun.push(begin(begun.length, plannedAt()))
      if (begun.length < all) return
      clearInterval(tick)
      void Promise.all(begun).then(() => resolve())
    }, TICK_MS)
  })
}
