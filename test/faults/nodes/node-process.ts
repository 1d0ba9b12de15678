// A node of the fault program `nodes`: a store and its look in a process of its own, which does what its parent asks and can be killed.

import { randomUUID } from 'node:crypto'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import { Look } from '../../../src/nodes/look.js'
import { openLog } from '../../../src/store/log/open-log.js'
import type { SiteRef } from '../../../src/store/protocol/write.js'
import { Store } from '../../../src/store/store.js'

export interface NodeSettings {
  dataDir: string
  databaseUrl: string
  sites: SiteRef[]
}

export type NodeRequest =
  | { do: 'create' | 'read'; id: number; site: number }
  | { do: 'publish'; id: number; site: number; path: string; html: string }

/** The commit that was made, or the head that a read saw. */
export type NodeAnswer = { id: number; commit: string } | { id: number; refusal: string }

const LIMITS = { writerThreads: 1, queueWrites: 1024, queueBytes: 1 << 28, diskReserveBytes: 0 }
const TIME = 1_790_000_000
const { dataDir, databaseUrl, sites } = JSON.parse(process.argv[2] ?? '') as NodeSettings

const { log } = await openLog(databaseUrl)
const store = new Store({ dataDir, limits: LIMITS, databaseUrl })
const look = new Look({
  moves: (since) => log.movesSince(since),
  siteOf: (id) => sites.find((site) => site.id === id),
  headOf: (site) => store.headIfReadable(site),
  follow: (site) => store.follow(site),
  onStalled: (site, error) => store.setBehind(site, String(error)),
  onCurrent: (site) => store.setBehind(site, undefined),
  onFailure: () => undefined,
})

async function serve(request: NodeRequest): Promise<string> {
  const site = sites[request.site]
  if (site === undefined) throw new Error('there is no such site')
  if (request.do !== 'publish') {
    await (request.do === 'create' ? store.createSite(site, TIME) : look.untilCurrent())
    return store.head(site)
  }
  const operation = {
    kind: 'publish-page',
    newId: randomUUID(),
    path: parsePagePath(request.path),
    html: Buffer.from(request.html),
    title: undefined,
    templateId: null,
    replace: true,
  } as const
  const { commit } = await store.write(site, { operation, author: 'Ada', time: TIME, trailers: [] })
  return commit
}

process.on('message', (request: NodeRequest) => {
  const { id } = request
  const say = (answer: NodeAnswer) => process.send?.(answer)
  serve(request).then(
    (commit) => say({ id, commit }),
    (error: unknown) => say({ id, refusal: String(error) }),
  )
})
process.send?.({ id: 0, commit: 'ready' } satisfies NodeAnswer)
