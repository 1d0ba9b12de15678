// Measures first reads of hosted pages: of a site with many pages, of one with all of them in one folder, and of one with a long history.
// To compare two builds, run it with each (BENCH_PROGRAM), in turns.

import { join } from 'node:path'
import { importSite } from '../ground/import-site.js'
import { growRepository, pagePathOf } from '../ground/large-repository.js'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const IS_QUICK = process.env['BENCH_QUICK'] === '1'
const PAGES = Number(process.env['BENCH_PAGES'] ?? (IS_QUICK ? 10_000 : 100_000))
const COMMITS = IS_QUICK ? 1_000 : 100_000
const FOLDERS = 100
/** Pages of a site that are read by one visitor after the other, and as many by several at once. */
const READS = 2_000
const AT_ONCE = 16
const ROUNDS = 3

const SITES = [
  { slug: 'folders', what: `${PAGES} pages in ${FOLDERS} folders`, pages: PAGES, commits: 0, folders: FOLDERS },
  { slug: 'flat', what: `${PAGES} pages in one folder`, pages: PAGES, commits: 0, folders: 1 },
  { slug: 'history', what: `5,000 pages after ${COMMITS} commits`, pages: 5_000, commits: COMMITS, folders: FOLDERS },
]

export async function benchFirstReads(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const dataDir = join(folder, 'data')
    await withService(dataDir, async (service) => {
      for (const { slug, ...growth } of SITES) {
        await growRepository(join(folder, slug), growth)
        await importSite(service, slug, join(folder, slug))
      }
    })
    const rows: Row[] = []
    for (const site of SITES) rows.push(...(await measure(dataDir, site)))
    return rows
  })
}

/** Starts the service anew for each round, so that nothing is in its memory. */
async function measure(dataDir: string, { slug, what, pages, folders }: (typeof SITES)[number]): Promise<Row[]> {
  const first: number[] = []
  const later: number[] = []
  const rates: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await withService(dataDir, async (service) => {
      const visit = (page: number) => service.visit(`/${pagePathOf((page * 7919) % pages, folders)}`, slug)
      first.push(await timed(() => visit(0)))
      for (let page = 1; page <= READS; page++) later.push(await timed(() => visit(page)))
      let next = READS
      const visitor = async () => {
        while (next < 2 * READS) await visit(++next)
      }
      const took = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, visitor)))
      rates.push((1000 * READS) / took)
    })
  }
  const row = (name: string, ours: string) => ({ what: `${what}: ${name}`, ours, peer: '', ratio: Number.NaN })
  return [
    row('the first page after a start', `${median(first).toFixed(1)} ms`),
    row('further pages, one visitor', `${median(later).toFixed(3)} ms`),
    row(`further pages, ${AT_ONCE} visitors`, `${median(rates).toFixed(0)} a second`),
  ]
}

async function withService(dataDir: string, work: (service: RunningService) => Promise<void>): Promise<void> {
  const service = await runService({ dataDir })
  try {
    await work(service)
  } finally {
    await service.stop()
  }
}
