// A version as visitors saw it, at a host of its own: by a link that is made for it, so that the past need not be public.

import { call, type Page, type Site, type Version } from '../api.js'
import { notifyFailure } from '../parts/notices.js'

export function OpenVersion({ site, page, version }: { site: Site; page: Page; version: Version }) {
  const open = async () => {
    // The tab has to be opened by the click itself; where it leads is known a moment later.
    const tab = globalThis.open('about:blank', '_blank')
    try {
      const url = await versionUrl(site, page, version)
      if (tab === null) throw new Error('The browser does not let this page open another one.')
      tab.opener = null
      tab.location.replace(url)
    } catch (error) {
      tab?.close()
      notifyFailure(error)
    }
  }
  if (version.action === 'unpublish') return null
  return (
    <button type="button" aria-label={`Open version ${version.number}`} onClick={() => void open()}>
      Open ↗
    </button>
  )
}

/** Where the page is as of the version, for whoever has the address, for a day. */
export async function versionUrl(site: Site, page: Page, version: Version): Promise<string> {
  const link = await call<{ url: string }>('POST', `/sites/${site.id}/links`, { body: { commit: version.id } })
  return new URL(new URL(page.url).pathname, link.url).href
}
