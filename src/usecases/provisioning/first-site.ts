// Makes the first start on an empty data directory: a workspace, its site and a welcome page. After a crash in between, the next start goes
// on from there.

import type { Site } from '../../catalog/site.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { type PublicAddress, siteUrlOf } from '../../model/hosts/site-url.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { Provisioner, ProvisionerParts } from './provisioner.js'
import { WELCOME_PATH, welcomePage } from './welcome-page.js'

type FirstSiteParts = ProvisionerParts & PublicAddress & { provisioner: Provisioner }

const FIRST_SLUG = 'demo'

/** Returns the new site; undefined if there is a workspace with a default site already. */
export async function makeFirstSite(parts: FirstSiteParts): Promise<Site | undefined> {
  const { catalog, provisioner, clock, newId } = parts
  const [first] = await catalog.workspaces.list()
  if (first !== undefined && first.defaultSiteId !== null) return undefined
  const createdAt = toTimestamp(toSeconds(clock()))
  const { id } = first ?? (await catalog.workspaces.create({ id: newId(), name: 'Default', createdAt }))
  const site = catalog.sites.findBySlug(FIRST_SLUG) ?? (await provisioner.createSite(id, FIRST_SLUG))
  await publishWelcome(parts, site)
  await catalog.workspaces.setDefaultSite(id, site.id)
  return site
}

/** Publishes the page that says how to go on. */
export async function publishWelcome(parts: FirstSiteParts, site: Site): Promise<void> {
  const { store, clock, newId } = parts
  const html = Buffer.from(welcomePage({ url: siteUrlOf(parts, site.slug) }))
  await store.write(site, {
    operation: {
      kind: 'publish-page',
      newId: newId(),
      path: parsePagePath(WELCOME_PATH),
      html,
      title: undefined,
      templateId: null,
      replace: true,
    },
    author: 'Palimpsest',
    time: toSeconds(clock()),
    trailers: [],
  })
}
