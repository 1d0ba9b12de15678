// Has a deploy prepared in a process of its own: what the index knows of the site's pages goes there with it.

import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { SiteIndex } from '../../catalog/index/site-index.js'
import type { Site } from '../../catalog/sites.js'
import type { Principal } from '../../model/principal.js'
import { ServiceError } from '../../model/errors.js'
import { type PagePath, pagePathOf } from '../../model/paths/page-path.js'
import type { BuiltDeploy } from '../../store/deploying/prepare-deploy.js'
import type { Deploy } from '../../store/uploads/deploy-folders.js'
import type { Services } from '../context/services.js'

/** Questions to the index at once; others are served in between. */
const MAX_ASKED = 200
/** How often the questions begin again because the site was changed meanwhile. */
const MAX_TRIES = 10

type Sidecars = Record<string, string | null>

/** `places` checks only that its places are free; `trees` builds what is published. */
export async function prepare(
  services: Services,
  site: Site,
  deploy: Deploy,
  what: 'places' | 'trees',
  { paths }: Pick<Principal, 'paths'>,
): Promise<BuiltDeploy> {
  const { commit, sidecars } = await askIndex(services, site, deploy)
  const { deploys, store, longTasks } = services
  return await longTasks.run(
    'prepareDeploy',
    {
      siteId: site.id,
      gitdir: store.sourceOf(site).gitdir,
      commit,
      files: deploy.files,
      replaces: deploy.mode === 'replace',
      ...(paths && { paths }),
      sidecars,
      packs: what === 'trees' ? deploys.packs(deploy.id) : [],
      output:
        what === 'trees'
          ? { folder: deploys.folderOf(deploy.id), name: `build-${deploys.newPackName(deploy.id)}` }
          : undefined,
    },
    site,
  )
}

interface Known {
  /** The commit that all answers are about. */
  commit: string
  sidecars: Sidecars
}

/** Which sidecar names each page that the deploy may change, as of one commit. */
async function askIndex(services: Services, site: Site, deploy: Deploy): Promise<Known> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const known = await tryToAsk(services, site, deploy)
    if (known !== undefined) return known
  }
  throw new ServiceError('site_busy', 'The site is changed very often just now. Try again in a moment.')
}

/** Undefined where the site was changed in between. */
async function tryToAsk(services: Services, site: Site, deploy: Deploy): Promise<Known | undefined> {
  const { indexFollower } = services
  const oids = new Map(deploy.files.map(([path, oid]) => [path, oid]))
  const pages = deploy.files.flatMap(([path]) => pagePathOf(path) ?? [])
  const commit = await indexFollower.read(site, (_, at) => at)
  const sidecars: Sidecars = {}
  const note = (index: SiteIndex, path: PagePath) => {
    sidecars[path] = index.pages.findSidecar(site.id, path) ?? null
  }
  for (let from = 0; from < pages.length; from += MAX_ASKED) {
    const isSame = await indexFollower.read(site, (index, at) => {
      for (const path of pages.slice(from, from + MAX_ASKED)) {
        const row = index.pages.findByPath(site.id, path)
        if (row === undefined || row.blob !== oids.get(row.treePath)) note(index, path)
      }
      return at === commit
    })
    if (!isSame) return undefined
    await yieldToOthers()
  }
  let cursor: string | null | undefined = deploy.mode === 'replace' ? undefined : null
  while (cursor !== null) {
    const slice = { cursor, limit: MAX_ASKED }
    const { isSame, next } = await indexFollower.read(site, (index, at) => {
      const { rows, nextCursor } = index.pages.list(site.id, slice)
      for (const { path, treePath } of rows) if (!oids.has(treePath)) note(index, path as PagePath)
      return { isSame: at === commit, next: nextCursor }
    })
    if (!isSame) return undefined
    cursor = next
    await yieldToOthers()
  }
  return { commit, sidecars }
}
