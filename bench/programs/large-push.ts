// Measures how a push of very many pages in one commit affects the other sites of the service: their writes while it is indexed, and
// memory.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { untilIndexed } from '../ground/import-site.js'
import { growRepository } from '../ground/large-repository.js'
import type { Row } from '../ground/row.js'
import { median, palimpsest, peakOf, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const PAGES = 100_000
const QUIET_WRITES = 100
/** Pause between two writes. */
const REST_MS = 5

interface Writes {
  times: number[]
  refused: number
}

export async function benchLargePush(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const gitdir = join(folder, 'large.git')
    await growRepository(gitdir, { pages: PAGES, commits: 0, size: 512 })
    const service = await runService()
    try {
      const siteId = await palimpsest(service.dataDir, 'sites', 'import', 'large', gitdir)
      const quiet = await writeElsewhere(service, (written) => written < QUIET_WRITES)
      const before = peakOf(service.pid)
      let isIndexed = false
      const indexing = untilIndexed(service, siteId).finally(() => (isIndexed = true))
      const busy = await writeElsewhere(service, () => !isIndexed)
      const what = `${PAGES} pages in one commit`
      const milliseconds = (name: string, ours: number, peer?: number): Row => ({
        what: `${what}: ${name}`,
        ours: `${ours.toFixed(1)} ms`,
        peer: peer === undefined ? '' : `${peer.toFixed(1)} ms`,
        ratio: peer === undefined ? Number.NaN : ours / peer,
      })
      return [
        milliseconds('until their versions are answered', await indexing),
        milliseconds('a write of another site meanwhile, against before', median(busy.times), median(quiet.times)),
        milliseconds('the 99th of 100 of them, against before', slowest(busy.times, 0.99), slowest(quiet.times, 0.99)),
        milliseconds('the longest of them, against before', Math.max(...busy.times), Math.max(...quiet.times)),
        {
          what: `${what}: writes of another site answered 400 and more, of ${busy.times.length}`,
          target: '0',
          ours: String(busy.refused),
          peer: '',
          ratio: Number.NaN,
        },
        {
          what: `${what}: most memory, against before`,
          ours: mebibytes(peakOf(service.pid)),
          peer: mebibytes(before),
          ratio: peakOf(service.pid) / before,
        },
      ]
    } finally {
      await service.stop()
    }
  })
}

/** Writes to the default site, one page after the other. */
async function writeElsewhere(service: RunningService, goesOn: (written: number) => boolean): Promise<Writes> {
  const times: number[] = []
  let refused = 0
  for (let n = 0; goesOn(n); n++) {
    const write = () => service.put(`/page-${n % 10}`, String(n).padEnd(2048, 'x')).catch(() => void (refused += 1))
    times.push(await timed(write))
    await pause(REST_MS)
  }
  return { times, refused }
}

function slowest(times: readonly number[], share: number): number {
  return times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)] ?? Number.NaN
}

function mebibytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(0)} MiB`
}
