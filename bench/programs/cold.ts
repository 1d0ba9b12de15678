// Measures cold reads of every page of 1,000 sites by a service with 512 MiB. If possible, the kernel enforces that limit.

import { makeUnlikeSites } from '../ground/many-sites.js'
import { makeMemoryGroup, type MemoryGroup } from '../ground/memory-group.js'
import type { Row } from '../ground/row.js'
import { palimpsest, peakOf, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const SITES = 1_000
const PAGES = 20
const AT_ONCE = 16
const MIB = 1024 * 1024
const LIMIT = 512 * MIB

export async function benchCold(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    await makeUnlikeSites(folder, { sites: SITES, pages: PAGES })
    await palimpsest(folder, 'reindex')
    await openAll(folder)
    const group = makeMemoryGroup(LIMIT)
    try {
      return await readAll(folder, group)
    } finally {
      group?.remove()
    }
  })
}

/** Opens each repository once, so that repairs at the first opening are not measured: a service in use has done them. */
async function openAll(dataDir: string): Promise<void> {
  const service = await runService({ dataDir })
  for (let site = 0; site < SITES; site++) await service.visit('/page-0', `site-${site}`)
  await service.stop()
}

async function readAll(dataDir: string, group: MemoryGroup | undefined): Promise<Row[]> {
  const service = await runService({ dataDir, under: group?.enter ?? [] })
  try {
    let next = 0
    let failures = 0
    const reader = async () => {
      while (next < SITES * PAGES) {
        const number = next++
        // Reads one page of each site in turn, so that no site is requested again soon.
        const page = `/page-${Math.floor(number / SITES)}`
        await service.visit(page, `site-${number % SITES}`).catch(() => (failures += 1))
      }
    }
    const milliseconds = await timed(() => Promise.all(Array.from({ length: AT_ONCE }, reader)))
    const peak = peakOf(service.pid)
    if (peak === 0) throw new Error('the service did not survive: the kernel ended it, or it ended itself')
    const what = `${SITES} sites, ${PAGES} pages each, every page once`
    const held = group === undefined ? 'measured only: no cgroup here' : 'in a cgroup of as much'
    return [
      {
        what: `${what}, most memory (${held})`,
        target: `under ${LIMIT / MIB} MiB`,
        ours: `${(peak / MIB).toFixed(0)} MiB`,
        peer: '',
        ratio: Number.NaN,
      },
      { what: `${what}, answers of 400 and more`, target: '0', ours: String(failures), peer: '', ratio: Number.NaN },
      {
        what: `${what}, a read, ${AT_ONCE} connections`,
        ours: `${((milliseconds * AT_ONCE) / (SITES * PAGES)).toFixed(2)} ms`,
        peer: '',
        ratio: Number.NaN,
      },
    ]
  } finally {
    await service.stop()
  }
}
