// Opens a version as visitors saw it, on a host of its own, by a link made for it: the site's past need not be public.

import { api, dataOf, type Page, type Site, type Version } from '../../api/client.js'
import { notifyFailure } from '../../parts/notices.js'

export function OpenVersion({ site, page, version }: { site: Site; page: Page; version: Version }) {
  const open = async () => {
    // A browser lets only the click itself open a tab; its address is known later.
    const tab = globalThis.open('about:blank', '_blank')
    try {
      const url = await versionUrl(site, page, version)
      if (tab === null) throw new Error('The browser does not allow this page to open a tab.')
      tab.opener = null
      tab.location.replace(url)
    } catch (error) {
      tab?.close()
      notifyFailure(error)
    }
  }
  return (
    <button type="button" aria-label={`Open version ${version.number}`} onClick={() => void open()}>
      Open ↗
    </button>
  )
}

/** The URL of the page as of the version. Everybody who has it can open it, for a day. */
async function versionUrl(site: Site, page: Page, version: Version): Promise<string> {
  const params = { path: { id: site.id } }
  const link = dataOf(await api.POST('/sites/{id}/links', { params, body: { commit: version.id } }))
  return new URL(`.${new URL(page.url).pathname}`, link.url).href
}
