// The head of a site: its name, its address, and the tabs to its screens below them.

import type { Site } from '../api/client.js'
import { formatUrl, nameOfSite } from '../format.js'
import { Tabs } from '../parts/lists/tabs.js'

const TABS: readonly [string, string][] = [
  ['', 'Pages'],
  ['/files', 'Files'],
  ['/reviews', 'Reviews'],
  ['/history', 'History'],
  ['/collections', 'Collections'],
  ['/checks', 'Checks'],
  ['/settings', 'Settings'],
]

/** `below`: the path below `/sites/<slug>`. */
export function SiteBar({ site, below }: { site: Site; below: string }) {
  return (
    <div class="site-bar">
      <div class="site-name">
        <h1>{nameOfSite(site)}</h1>
        <a href={site.url} target="_blank" rel="noopener noreferrer">
          {formatUrl(site.url)} ↗
        </a>
      </div>
      <Tabs
        label="Site"
        tabs={TABS.map(([to, label]) => ({
          to: `/sites/${site.slug}${to}`,
          label,
          isShown: isWithin(to, below),
        }))}
      />
    </div>
  )
}

function isWithin(tab: string, below: string): boolean {
  if (tab === '') return below === '' || below === '/new' || below.startsWith('/pages/')
  return below === tab || below.startsWith(`${tab}/`)
}
