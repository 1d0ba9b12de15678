// Measures hosting of many sites: pages read for the first time, a realistic mix of visits, a hot page while another site
// is published to, and the memory used.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareRates, inTurn, isInstalled, loadList, sayLoad, SERVER_CORE } from '../ground/load.js'
import { makeUnlikeSites } from '../ground/many-sites.js'
import type { Row } from '../ground/row.js'
import { palimpsest, peakOf, type RunningService, runService } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const MIB = 1024 * 1024
const SITES = 100
const PAGES = 1000
/** Pages of each site in the mix: 10,000 in all. */
const MIXED_PAGES = 100
const MIXED_REQUESTS = 100_000
const PUBLISHES_A_SECOND = 50
const CACHE_BYTES = 64 * MIB

export async function benchVisits(): Promise<Row[]> {
  if (!(await isInstalled('wrk'))) {
    console.error('wrk is missing (apt-get install wrk): skipped')
    return []
  }
  return await withFolder(async (folder) => {
    await makeUnlikeSites(folder, { sites: SITES, pages: PAGES })
    await palimpsest(folder, 'reindex')
    const under = ['taskset', '-c', SERVER_CORE]
    return [
      ...(await withService({ dataDir: folder, under }, (service) => benchMix(service, folder))),
      ...(await withService({ dataDir: folder, under, env: { CACHE_BYTES: String(CACHE_BYTES) } }, (service) =>
        benchCold(service, folder),
      )),
    ]
  })
}

async function withService(
  options: Parameters<typeof runService>[0],
  work: (service: RunningService) => Promise<Row[]>,
): Promise<Row[]> {
  const service = await runService(options)
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

async function benchMix(service: RunningService, folder: string): Promise<Row[]> {
  const { port } = service
  const hotList = writeList(folder, 'hot', [pageOf(0)])
  const mixList = writeList(folder, 'mix', zipf(SITES * MIXED_PAGES, MIXED_REQUESTS).map(pageOf))
  // Reads each page once before: first reads belong to the next measurement.
  for (let page = 0; page < SITES * MIXED_PAGES; page++) {
    const [host = '', path = ''] = pageOf(page).split('.localhost ')
    await service.visit(path, host)
  }
  const [mix, hot] = await inTurn(
    () => loadList(port, mixList),
    () => loadList(port, hotList),
  )
  const [beside, quiet] = await inTurn(
    () => besidePublishes(service, () => loadList(port, hotList)),
    () => loadList(port, hotList),
  )
  return [
    compareRates(`Zipf over ${SITES * MIXED_PAGES} pages on ${SITES} sites, against a hot page`, mix, hot, '0.8 ×'),
    {
      what: `p99 of a hot page beside ${PUBLISHES_A_SECOND} publishes a second to another site, against quiet`,
      target: 'at most 2 ×',
      ours: sayLoad(beside),
      peer: sayLoad(quiet),
      ratio: beside.p99 / quiet.p99,
    },
  ]
}

/** Runs `work` while another site is published to, and returns its result. */
async function besidePublishes<T>(service: RunningService, work: () => Promise<T>): Promise<T> {
  const published: Promise<unknown>[] = []
  const publisher = setInterval(
    () => published.push(service.put('/busy', `<!doctype html>${published.length}`.padEnd(2048, 'x'))),
    1000 / PUBLISHES_A_SECOND,
  )
  try {
    return await work()
  } finally {
    clearInterval(publisher)
    await Promise.all(published)
  }
}

/** Reads every page once, by turns over the sites, so that no recently read page is near. */
async function benchCold({ port, pid }: RunningService, folder: string): Promise<Row[]> {
  const idle = residentOf(pid)
  const hotList = writeList(folder, 'hot', [pageOf(0)])
  const all = Array.from({ length: SITES * PAGES }, (_, page) => pageOf(page))
  const cold = await loadList(port, writeList(folder, 'cold', all))
  const hot = await loadList(port, hotList)
  // Reads the pages not reached so far, and many of the others again.
  const rest = writeList(folder, 'rest', all.toReversed())
  for (let round = 0; round < 3; round++) await loadList(port, rest)
  const bound = idle + 1.25 * CACHE_BYTES + 64 * MIB
  const peak = peakOf(pid)
  return [
    compareRates(`pages of ${SITES} sites with ${PAGES} each, read for the first time, against a hot page`, cold, hot),
    {
      what: `most memory then, with CACHE_BYTES of ${CACHE_BYTES / MIB} MiB, against ${(idle / MIB).toFixed(0)} MiB when idle + 1.25 × cache + 64 MiB`,
      target: 'at most 1 ×',
      ours: `${(peak / MIB).toFixed(0)} MiB`,
      peer: `${(bound / MIB).toFixed(0)} MiB`,
      ratio: peak / bound,
    },
  ]
}

/** Returns host and path of the page with that number; neighbours belong to different sites. */
function pageOf(number: number): string {
  return `site-${number % SITES}.localhost /page-${Math.floor(number / SITES)}`
}

function writeList(folder: string, name: string, lines: readonly string[]): string {
  const file = join(folder, `${name}.list`)
  writeFileSync(file, `${lines.join('\n')}\n`)
  return file
}

/** Returns numbers below `count`; n has the frequency 1 / (n + 1). The same in every run. */
function zipf(count: number, length: number): number[] {
  const sums: number[] = []
  for (let rank = 1, sum = 0; rank <= count; rank++) sums.push((sum += 1 / rank))
  const whole = sums.at(-1) ?? 0
  return Array.from({ length }, (_, at) => {
    // Multiples of the golden ratio fill the unit interval evenly, in an order that helps no cache.
    const wanted = ((at * 0.618_033_988_749_895) % 1) * whole
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return low
  })
}

function residentOf(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}
