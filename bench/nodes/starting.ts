// Measures how long a node takes before it serves: a start with 10,000 sites, with its disk as it left it and with an empty one, and
// catching up with 100,000 entries of one site.

import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { requestAs } from '../../test/nodes/services/request-as.js'
import { makeSites as makeEmbeddedSites } from '../ground/many-sites.js'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'
import { startNode, withDatabase } from './ground.js'
import { addEntries, addSites } from './long-logs.js'

const SITES = 10_000
const STARTS = 3
const ENTRIES = 100_000
const TARGET_MS = 2000
const AGAIN_MS = 20

export async function benchNodeStarts(count = SITES): Promise<Row[]> {
  return await withFolder((folder) =>
    withDatabase(false, async (_, url) => {
      const dataDir = join(folder, 'node')
      await (await startNode(dataDir, url)).stop()
      const sites = await addSites(url, count)
      const last = sites.at(-1)?.slug ?? ''
      const joined = await startNode(dataDir, url)
      const joining = joined.greeted.milliseconds + (await timed(() => untilShown(joined, last)))
      await untilAllAreThere(joined)
      await joined.stop()
      const times: { greeted: number; shown: number }[] = []
      for (let i = 0; i < STARTS; i++) {
        const node = await startNode(dataDir, url)
        const shown = await timed(() => untilShown(node, last))
        times.push({ greeted: node.greeted.milliseconds, shown })
        await node.stop()
      }
      const embedded = join(folder, 'embedded')
      await makeEmbeddedSites(embedded, { sites: count, pages: 1 })
      const peers: number[] = []
      for (let i = 0; i < STARTS; i++) {
        const service = await runService({ dataDir: embedded })
        peers.push(service.greeted.milliseconds)
        await service.stop()
      }
      return [
        row(
          `a node with ${count} sites starts, until it greets, against the embedded service`,
          median(times.map(({ greeted }) => greeted)),
          {
            target: `under ${TARGET_MS} ms`,
            peer: median(peers),
          },
        ),
        row('the first hosted page after that', median(times.map(({ shown }) => shown))),
        row('the same with an empty disk, from the start to the first page', joining),
      ]
    }),
  )
}

export async function benchCatchUp(entries = ENTRIES): Promise<Row[]> {
  return await withFolder((folder) =>
    withDatabase(false, async (_, url) => {
      const dataDir = join(folder, 'node')
      const node = await startNode(dataDir, url)
      const [site] = await addSites(url, 1)
      if (site === undefined) throw new Error('there is no site')
      await untilShown(node, site.slug)
      await node.stop()
      await addEntries(url, site, entries)
      const late = await startNode(dataDir, url)
      const milliseconds = await timed(() => untilShown(late, site.slug, '/page-1', 200))
      await late.stop()
      return [
        {
          what: `a node catches up with ${entries} publishes of one site, until it shows the newest`,
          ours: `${(milliseconds / 1000).toFixed(1)} s, ${((entries * 1000) / milliseconds).toFixed(0)} /s`,
          peer: '',
          ratio: Number.NaN,
        },
      ]
    }),
  )
}

/** Waits for a site. A site without pages answers 404 for its first page; before it is there, the answer is 503. */
async function untilShown({ port }: RunningService, slug: string, path = '/', status = 404): Promise<void> {
  while ((await requestAs(port, { path, host: `${slug}.localhost:${port}` })).status !== status) await pause(AGAIN_MS)
}

async function untilAllAreThere({ port }: RunningService): Promise<void> {
  const behind = async () =>
    (await requestAs(port, { path: '/readyz?verbose=1' })).body?.behind as unknown[] | undefined
  while ((await behind())?.length !== 0) await pause(1000)
}

function row(what: string, milliseconds: number, { target, peer }: { target?: string; peer?: number } = {}): Row {
  return {
    what,
    ...(target !== undefined && { target }),
    ours: `${milliseconds.toFixed(0)} ms`,
    peer: peer === undefined ? '' : `${peer.toFixed(0)} ms`,
    ratio: peer === undefined ? Number.NaN : milliseconds / peer,
  }
}
