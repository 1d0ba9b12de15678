// Creates a page in a draft of its own: it is not live before it is published.

import { dataOf, type Site, siteApi } from '../../../api/client.js'
import type { NewPageDraft } from '../../../browser/drafts.js'
import { OWN_HTML } from './use-new-page-draft.js'

/** Returns the path of its editor. Throws `Refusal`. */
export async function createDraft(site: Site, { path, title, from, html }: NewPageDraft): Promise<string> {
  const content = from === OWN_HTML ? { html: html === '' ? bare(title) : html } : { templateId: from }
  const isTitled = title.trim() !== '' && (from !== OWN_HTML || html !== '')
  const body = { path, ...content, ...(isTitled && { title: title.trim() }) }
  const { id } = dataOf(await siteApi(site).POST('/pages', { params: { query: { changeRequest: 'draft' } }, body }))
  return `/sites/${site.slug}/pages/${id}`
}

function bare(title: string): string {
  const name = title.trim().replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html>\n<title>${name}</title>\n`
}
