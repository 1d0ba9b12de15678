// Creates a page in a new change request: it is not live before it is published.

import { api, dataOf, type Site, siteApi } from '../../../api/client.js'
import type { NewPageDraft } from '../../../browser/drafts.js'
import { OWN_HTML } from './use-new-page-draft.js'

/** Characters of the name of a change request. */
const MAX_NAME = 200

/** Returns the path of its editor. Throws `Refusal`. */
export async function createDraft(site: Site, { path, title, from, html }: NewPageDraft): Promise<string> {
  const content = from === OWN_HTML ? { html: html === '' ? bare(title) : html } : { templateId: from }
  const isTitled = title.trim() !== '' && (from !== OWN_HTML || html !== '')
  const body = { path, ...content, ...(isTitled && { title: title.trim() }) }
  const answer = await siteApi(site).POST('/pages', { params: { query: { changeRequest: 'new' } }, body })
  const { id } = dataOf(answer)
  const request = answer.data?.changeRequest ?? ''
  const name = title.trim() === '' ? path : title.trim().slice(0, MAX_NAME)
  dataOf(await api.PATCH('/change-requests/{id}', { params: { path: { id: request } }, body: { title: name } }))
  return `/sites/${site.slug}/pages/${id}?changeRequest=${request}`
}

function bare(title: string): string {
  const name = title.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html>\n<title>${name}</title>\n`
}
