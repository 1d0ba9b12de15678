// What a second process costs a publish, which waits for it, and what it gives to visitors: against one process.

import type { Row } from './row.js'
import { median, type RunningService, runService, timed } from './running-service.js'

const PUBLISHES = 200
const REQUESTS = 4000
const AT_ONCE = 32
const BODY = '<!doctype html>'.padEnd(4096, 'x')

export async function benchWorkers(): Promise<Row[]> {
  const one = await runService({ env: { WORKERS: '1' } })
  const two = await runService({ env: { WORKERS: '2' } })
  try {
    return [await publishes(two, one), await visits(two, one)]
  } finally {
    await one.stop()
    await two.stop()
  }
}

/** In turn, so that both meet the same disk. */
async function publishes(two: RunningService, one: RunningService): Promise<Row> {
  const times: { ours: number[]; peer: number[] } = { ours: [], peer: [] }
  for (let i = 0; i < PUBLISHES; i++) {
    const html = String(i).padEnd(2048, 'x')
    times.ours.push(await timed(() => two.put('/page', html)))
    times.peer.push(await timed(() => one.put('/page', html)))
  }
  const [ours, peer] = [median(times.ours), median(times.peer)]
  const what = 'one publish over HTTP with WORKERS=2, against WORKERS=1'
  return { what, ours: `${ours.toFixed(2)} ms`, peer: `${peer.toFixed(2)} ms`, ratio: ours / peer }
}

async function visits(two: RunningService, one: RunningService): Promise<Row> {
  for (const service of [two, one]) {
    await service.put('/page', BODY)
    await rateOf(service)
  }
  const [ours, peer] = [await rateOf(two), await rateOf(one)]
  const what = `hot page of 4 KB, ${AT_ONCE} connections, with WORKERS=2, against WORKERS=1`
  return { what, ours: `${ours.toFixed(0)} /s`, peer: `${peer.toFixed(0)} /s`, ratio: ours / peer }
}

/** Requests a second. */
async function rateOf(service: RunningService): Promise<number> {
  let left = REQUESTS
  const visitor = async () => {
    while (left-- > 0) await service.visit('/page')
  }
  const milliseconds = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, visitor)))
  return (REQUESTS * 1000) / milliseconds
}
