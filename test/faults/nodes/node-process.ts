// A node of the fault program `nodes`: a store and its look in a process of its own, which does what its parent asks and can be killed.

import { randomUUID } from 'node:crypto'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import type { SiteRef } from '../../../src/store/protocol/write.js'
import { openNodeStore } from '../../nodes/node-store.js'

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

const TIME = 1_790_000_000
const { dataDir, databaseUrl, sites } = JSON.parse(process.argv[2] ?? '') as NodeSettings

const { store, look } = await openNodeStore({ dataDir, databaseUrl, sites })

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
