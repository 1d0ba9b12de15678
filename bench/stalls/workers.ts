// What a second process costs a publish, which waits until that process has the new head, and what it gives to visitors:
// against one process.

import { isInstalled, loadWith, sayLoad } from '../ground/load.js'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'

const WARM_UP = 50
const PUBLISHES = 300
const WRITERS = 16
const WRITES_EACH = 40
const PAGE_BYTES = 4096

export async function benchWorkers(): Promise<Row[]> {
  const one = await runService({ env: { WORKERS: '1' } })
  const two = await runService({ env: { WORKERS: '2' } })
  try {
    return [await publishes(two, one), await publishesTogether(two, one), ...(await visits(two, one))]
  } finally {
    await one.stop()
    await two.stop()
  }
}

/** In turn, so that both meet the same disk. */
async function publishes(two: RunningService, one: RunningService): Promise<Row> {
  const times: { ours: number[]; peer: number[] } = { ours: [], peer: [] }
  for (let i = 0; i < WARM_UP + PUBLISHES; i++) {
    const ours = await timed(() => publish(two, i))
    const peer = await timed(() => publish(one, i))
    if (i < WARM_UP) continue
    times.ours.push(ours)
    times.peer.push(peer)
  }
  const [ours, peer] = [median(times.ours), median(times.peer)]
  const what = 'one publish over HTTP with WORKERS=2, against WORKERS=1'
  return { what, ours: sayTimes(times.ours), peer: sayTimes(times.peer), ratio: ours / peer }
}

async function publishesTogether(two: RunningService, one: RunningService): Promise<Row> {
  const rates = []
  for (const service of [two, one]) {
    const writer = async (_: unknown, at: number) => {
      for (let i = 0; i < WRITES_EACH; i++) await publish(service, at * WRITES_EACH + i)
    }
    const milliseconds = await timed(() => Promise.all(Array.from({ length: WRITERS }, writer)))
    rates.push((WRITERS * WRITES_EACH * 1000) / milliseconds)
  }
  const [ours = 0, peer = 0] = rates
  const what = `${WRITERS} writers over HTTP, one site, with WORKERS=2, against WORKERS=1`
  return { what, ours: `${ours.toFixed(0)} /s`, peer: `${peer.toFixed(0)} /s`, ratio: ours / peer }
}

/** The processes share the cores with who measures them: with two cores a second process has half of one to win. */
async function visits(two: RunningService, one: RunningService): Promise<Row[]> {
  if (!(await isInstalled('wrk'))) {
    console.error('wrk is missing (apt-get install wrk): visits are skipped')
    return []
  }
  const hot = { what: 'hot page', path: '/hot' }
  for (const service of [two, one]) {
    await service.put(hot.path, '<!doctype html>'.padEnd(PAGE_BYTES, 'x'))
    await loadWith(service.port, hot)
  }
  const [ours, peer] = [await loadWith(two.port, hot), await loadWith(one.port, hot)]
  const what = 'hot page of 4 KB with WORKERS=2, against WORKERS=1'
  return [{ what, ours: sayLoad(ours), peer: sayLoad(peer), ratio: ours.perSecond / peer.perSecond }]
}

function publish(service: RunningService, number: number): Promise<unknown> {
  return service.put(`/page-${number % 10}`, `<!doctype html>${number}`.padEnd(2048, 'x'))
}

function sayTimes(times: readonly number[]): string {
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  return `${median(times).toFixed(2)} ms, p99 ${p99.toFixed(1)} ms`
}
