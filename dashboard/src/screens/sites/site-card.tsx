// One site in the list: its address and its figures.

import { useRef } from 'preact/hooks'
import { api, dataOf, type Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { useWasVisible } from '../../browser/use-was-visible.js'
import { formatBytes, formatCount, formatUrl } from '../../format.js'
import { Age } from '../../parts/age.js'

export function SiteCard({ site }: { site: Site }) {
  const card = useRef<HTMLLIElement>(null)
  const wasVisible = useWasVisible(card)
  // A workspace may have hundreds of sites: only visible ones are requested.
  const loaded = useLoaded<Site>(`${wasVisible ? 'figures' : 'name'} of ${site.id}`, async (signal) =>
    wasVisible ? dataOf(await api.GET('/sites/{id}', { params: { path: { id: site.id } }, signal })) : site,
  )
  const usage = loaded.data?.usage
  return (
    <li class="panel card" ref={card}>
      <h2>
        <a href={`/sites/${site.slug}`}>{site.slug}</a> {site.isDefault && <span class="tag">default</span>}
      </h2>
      <p>
        <a href={site.url} target="_blank" rel="noopener noreferrer">
          {formatUrl(site.url)} ↗
        </a>
      </p>
      {/* The line keeps its height, so that nothing moves when the figures arrive. */}
      <p class="hint facts">
        {usage && (
          <>
            <span>{formatCount(usage.pages, 'page')}</span>
            <Age of={usage.lastChangeAt} />
            <span>{formatBytes(usage.storageBytes)}</span>
          </>
        )}
      </p>
    </li>
  )
}
