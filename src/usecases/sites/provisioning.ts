// Workspaces and sites coming into being: a row that reserves, a repository, a row that is live. What a crash
// leaves between the steps is finished or dropped at the next start (design: a site is created in three steps).

import { existsSync } from 'node:fs'
import type { Catalog } from '../../catalog/catalog.js'
import type { Site } from '../../catalog/sites.js'
import type { Workspace } from '../../catalog/workspaces.js'
import { type Clock, type MakeId, toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import { parseSlug } from '../../model/hosts/slug.js'
import { readTitle } from '../../store/format/html-title.js'
import type { Store } from '../../store/store.js'
import { WELCOME_PATH, welcomePage } from './welcome-page.js'

export interface Provisioner {
  catalog: Catalog
  store: Store
  clock: Clock
  newId: MakeId
}

export const FIRST_SLUG = 'demo'

/** Sites that could be neither finished nor given up, since the disk refused: who asks for the slug again finishes them. */
const unfinished = new WeakMap<Catalog, Site[]>()

/**
 * A site in a workspace, live when it resolves. `beforeLive` runs when its repository is there for good: from then on a start
 * makes it live. Throws `invalid_slug`, `reserved_slug` or `slug_taken`.
 */
export async function provisionSite(
  parts: Provisioner,
  workspaceId: string,
  slug: string,
  beforeLive: (site: Site) => Promise<void> = async () => undefined,
): Promise<Site> {
  const { catalog, store } = parts
  const now = toSeconds(parts.clock())
  const left = takeUnfinished(catalog, workspaceId, slug)
  const site =
    left ??
    (await catalog.sites.reserve({
      id: parts.newId(),
      workspaceId,
      slug: parseSlug(slug),
      createdAt: toTimestamp(now),
    }))
  try {
    if (left === undefined || !store.hasRepository(left)) await store.createSite(site, now)
    await beforeLive(site)
    await catalog.sites.markLive(site)
  } catch (error) {
    if (await givesUp(parts, site)) throw error
    const refusal = new ServiceError(
      'outcome_unknown',
      'The storage refused before the site was finished. Ask for it again, or look for it after the next start.',
    )
    throw Object.assign(refusal, { cause: error })
  }
  return { ...site, state: 'live' }
}

function takeUnfinished(catalog: Catalog, workspaceId: string, slug: string): Site | undefined {
  const sites = unfinished.get(catalog) ?? []
  const found = sites.findIndex((site) => site.workspaceId === workspaceId && site.slug === slug)
  return found < 0 ? undefined : sites.splice(found, 1)[0]
}

/**
 * Frees id and slug. False where the disk does not let it, or where the repository is there already and all that is missing
 * is the row's last word: the next start, or the next who asks for the slug, finishes or drops the site.
 */
async function givesUp({ catalog, store }: Provisioner, site: Site): Promise<boolean> {
  try {
    if (!existsSync(store.gitdir(site))) {
      await catalog.sites.dropCreating(site.id)
      return true
    }
  } catch {
    // The caller is told of the failure that came first.
  }
  unfinished.set(catalog, [...(unfinished.get(catalog) ?? []), site])
  return false
}

/** A workspace with its default site. */
export async function provisionWorkspace(
  parts: Provisioner,
  name: string,
  slug: string,
): Promise<{ workspace: Workspace; site: Site }> {
  const createdAt = toTimestamp(toSeconds(parts.clock()))
  const workspace = await parts.catalog.workspaces.create({ id: parts.newId(), name, createdAt })
  const site = await provisionSite(parts, workspace.id, slug)
  await parts.catalog.workspaces.setDefaultSite(workspace.id, site.id)
  return { workspace: { ...workspace, defaultSiteId: site.id }, site }
}

/** Finishes or drops the sites that a crash left half made. Opens no repository of a live site. */
export async function recoverSites({ catalog, store }: Provisioner): Promise<void> {
  store.clearUnfinished()
  for (const site of await catalog.sites.listCreating()) {
    // The repository gets its name by a rename once it is whole: it is there or it is not.
    if (store.hasRepository(site)) await catalog.sites.markLive(site)
    else await catalog.sites.dropCreating(site.id)
  }
}

/** On an empty data directory: a workspace, its site and a welcome page. A crash in between is taken up here again. */
export async function provisionFirst(parts: Provisioner, siteUrl: (slug: string) => string): Promise<Site | undefined> {
  const { catalog } = parts
  const workspaces = await catalog.workspaces.list()
  const [first] = workspaces
  if (first?.defaultSiteId !== null && first !== undefined) return undefined
  const workspaceId = first?.id ?? (await createFirstWorkspace(parts)).id
  const existing = catalog.sites.findBySlug(FIRST_SLUG)
  const site = existing ?? (await provisionSite(parts, workspaceId, FIRST_SLUG))
  await publishWelcome(parts, site, siteUrl(site.slug))
  await catalog.workspaces.setDefaultSite(workspaceId, site.id)
  return site
}

function createFirstWorkspace({ catalog, clock, newId }: Provisioner): Promise<Workspace> {
  return catalog.workspaces.create({ id: newId(), name: 'Default', createdAt: toTimestamp(toSeconds(clock())) })
}

async function publishWelcome({ store, clock, newId }: Provisioner, site: Site, url: string): Promise<void> {
  const html = Buffer.from(welcomePage({ url }))
  await store.write(site, {
    operation: {
      kind: 'publish-page',
      newId: newId(),
      path: parsePagePath(WELCOME_PATH),
      html,
      title: readTitle(html),
      templateId: null,
      replace: true,
    },
    author: 'Palimpsest',
    time: toSeconds(clock()),
    trailers: [],
  })
}
