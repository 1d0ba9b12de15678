// The head of a site: its name, its address, and the tabs to its screens below them.

import { useContext } from 'preact/hooks'
import { api, type ChangeRequest, type Site, sliceOf } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { formatUrl, nameOfSite } from '../format.js'
import { Tabs } from '../parts/lists/tabs.js'
import { Person } from '../parts/rights/allowed.js'
import { waitsFor } from '../screens/reviews/words.js'

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
  const waiting = useWaiting(site, below)
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
          ...(to === '/reviews' && { waiting }),
        }))}
      />
    </div>
  )
}

function isWithin(tab: string, below: string): boolean {
  if (tab === '') return below === '' || below === '/new' || below.startsWith('/pages/')
  return below === tab || below.startsWith(`${tab}/`)
}

/** More are not counted. */
const MAX_WAITING = 99

/** Counts the reviews that wait for the person. Counted anew on each screen of the site. */
function useWaiting(site: Site, below: string): number {
  const me = useContext(Person)
  const isReviewer = me?.scopes.includes('write') === true
  const { data = 0 } = useLoaded<number>(`waiting ${isReviewer} ${site.id} ${below}`, async (signal) => {
    if (!isReviewer) return 0
    const params = { path: { id: site.id }, query: { state: 'review', limit: MAX_WAITING } as const }
    const { entries } = sliceOf<ChangeRequest>(await api.GET('/sites/{id}/change-requests', { params, signal }))
    return entries.filter((request) => waitsFor(request, site, me)).length
  })
  return data
}
