// The name and address of a site, and the tabs to its screens.

import type { Site } from '../api/client.js'
import { formatUrl } from '../format.js'

const TABS: readonly [string, string][] = [
  ['', 'Pages'],
  ['/files', 'Files'],
  ['/history', 'History'],
  ['/collections', 'Collections'],
  ['/checks', 'Checks'],
  ['/settings', 'Settings'],
]

/** `below`: the path below `/sites/<slug>`. */
export function SiteBar({ site, below }: { site: Site; below: string }) {
  return (
    <div class="site-bar">
      <h1>{site.slug}</h1>
      <a href={site.url} target="_blank" rel="noopener noreferrer">
        {formatUrl(site.url)} ↗
      </a>
      <nav aria-label="Site">
        {TABS.map(([to, label]) => (
          <a key={to} href={`/sites/${site.slug}${to}`} aria-current={isWithin(to, below) ? 'page' : undefined}>
            {label}
          </a>
        ))}
      </nav>
    </div>
  )
}

function isWithin(tab: string, below: string): boolean {
  if (tab === '') return below === '' || below === '/new' || below.startsWith('/pages/')
  return below === tab || below.startsWith(`${tab}/`)
}
