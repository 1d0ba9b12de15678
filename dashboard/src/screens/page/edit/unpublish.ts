// Unpublishes a page, and publishes it again on Undo.

import { dataOf, type Page, type Site, siteApi } from '../../../api/client.js'
import { navigate } from '../../../browser/router.js'
import { notify, notifyFailure } from '../../../parts/overlays/notices.js'

export async function unpublish(site: Site, page: Page): Promise<void> {
  try {
    const params = { path: { id: page.id }, header: { 'If-Match': page.etag } }
    dataOf(await siteApi(site).DELETE('/pages/{id}', { params }))
    notify(`${page.path} is unpublished.`, { label: 'Undo', run: () => void restore(site, page) })
    navigate(`/sites/${site.slug}`)
  } catch (error) {
    notifyFailure(error)
  }
}

/** Publishes the unpublished version again. */
async function restore(site: Site, page: Page): Promise<void> {
  try {
    const params = { path: { id: page.id } }
    dataOf(await siteApi(site).POST('/pages/{id}/rollback', { params, body: { version: page.version.number } }))
    notify(`${page.path} is live again.`)
    navigate(`/sites/${site.slug}/pages/${page.id}`)
  } catch (error) {
    notifyFailure(error)
  }
}
