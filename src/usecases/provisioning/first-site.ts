// Makes the first start on an empty data directory: a workspace, its site and a welcome page. After a crash in between, the next start goes
// on from there.

import type { Site } from '../../catalog/site.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { type PublicAddress, siteUrlOf } from '../../model/hosts/site-url.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { Provisioner, ProvisionerParts } from './provisioner.js'

type FirstSiteParts = ProvisionerParts & PublicAddress & { provisioner: Provisioner }

const FIRST_SLUG = 'demo'
const WELCOME_PATH = '/'

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
  const html = Buffer.from(
    welcomePage({ url: siteUrlOf(parts, site.slug), dashboard: `${parts.baseUrl}/sites/${site.slug}` }),
  )
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

/** Shows the site's address, and says how to replace the page. */
function welcomePage(site: { url: string; dashboard: string }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>It works: this page is a commit</title>
<style>
:root { color-scheme: light dark }
body { font: 1.05rem/1.6 system-ui, sans-serif; max-width: 38rem; margin: 12vh auto; padding: 0 1.25rem }
h1 { font-size: 1.9rem; line-height: 1.2 }
code { background: color-mix(in srgb, currentColor 10%, transparent); padding: .1em .3em; border-radius: .25em }
</style>
</head>
<body>
<h1>It works: this page is a commit.</h1>
<p>You are looking at <code>${site.url}/</code>, served from <code>index.html</code> at the head of a git repository.
Every version of it stays in the history.</p>
<p><a href="${site.dashboard}">Open the dashboard</a> to write your own. The terminal that started the service shows how to sign in there,
and how to make a key for programs.</p>
</body>
</html>
`
}
