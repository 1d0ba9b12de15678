// A hosted page in a frame, loaded from its site's own domain, without any access to the dashboard.

import { api, dataOf, type Site } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { frameRefusal } from '../browser/frame-refusal.js'

interface PageFrameProps {
  title: string
  site: Site
  url: string
}

/** Scripts run as for visitors, but in an opaque origin: without storage, forms, or access to the parent. */
export function PageFrame({ title, site, url }: PageFrameProps) {
  const refusal = useFrameRefusal(site, new URL(url).pathname)
  return refusal === undefined ? (
    <iframe class="frame" title={title} src={url} sandbox="allow-scripts" referrerpolicy="no-referrer" />
  ) : (
    <div class="frame hint" role="group" aria-label={title}>
      <p>
        The rules in <code>_headers</code> forbid browsers to show this page in a frame: <code>{refusal}</code>
      </p>
      <a class="button" href={url} target="_blank" rel="noopener noreferrer">
        Open in a tab ↗
      </a>
    </div>
  )
}

/** Returns the field of the site that forbids a frame; undefined if none does, and until that is known. */
function useFrameRefusal({ id }: Site, path: string): string | undefined {
  const refusal = useLoaded<string | undefined>(`frame ${id} ${path}`, async (signal) => {
    const { fields } = dataOf(
      await api.POST('/sites/{id}/resolve', { params: { path: { id } }, body: { path }, signal }),
    )
    return frameRefusal(fields, location.origin)
  })
  return refusal.data
}
