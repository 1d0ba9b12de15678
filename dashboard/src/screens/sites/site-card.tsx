// One site in the list: its address and its figures.

import { api, dataOf, type Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatBytes, formatCount, formatUrl } from '../../format.js'
import { Age } from '../../parts/age.js'

export function SiteCard({ site, isDefault }: { site: Site; isDefault: boolean }) {
  const loaded = useLoaded<Site>(`site card ${site.id}`, async (signal) =>
    dataOf(await api.GET('/sites/{id}', { params: { path: { id: site.id } }, signal })),
  )
  const usage = loaded.data?.usage
  return (
    <li class="panel card">
      <h2>
        <a href={`/sites/${site.slug}`}>{site.slug}</a> {isDefault && <span class="tag">default</span>}
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
