// The templates of a site: its own `.templates/<id>.html` and the built-in ones.

import type { TemplateData } from '../../../schemas/sites.js'
import { ServiceError } from '../../model/errors.js'
import { isFile } from '../../repository/format/file-mode.js'
import { TEMPLATE_DIR } from '../../repository/format/site-format.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { BUILTIN_TEMPLATES, DEFAULT_TEMPLATE } from './builtin-templates.js'
import { toHtmlBytes } from './page-html.js'
import { MAX_SOURCE_CHARACTERS, renderTemplate } from '../../texts/render-template.js'
import type { Call, SiteCall } from '../context/call.js'
import { DEFAULT_LIMIT, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { takeSlice } from '../context/slice.js'
import { siteOf } from '../context/target.js'

/** The requested content of a page: html, a template, or both. */
export interface PageSource {
  html?: string | Uint8Array | undefined
  templateId?: string | undefined
  title?: string | undefined
}

export interface ComposedPage {
  html: Uint8Array
  /** Null for a page that no template made. */
  templateId: string | null
}

const TEMPLATE_ID = /^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/
const EXTENSION = '.html'
/** The most templates of a site that are listed; a push may bring 500,000. Others can be used by id. */
const MAX_LISTED = 1000

export function listTemplates(call: Call<'catalog' | 'store'>, input: SliceInput): Result<TemplateData[]> {
  const templates = templatesOf(call.store.reader.snapshot(siteOf(call)))
  const { rows, nextCursor } = takeSlice('templates', templates, ({ id }) => id, {
    limit: input.limit ?? DEFAULT_LIMIT,
    cursor: input.cursor,
  })
  return { data: rows, nextCursor }
}

/**
 * Makes the html of a new page. Without html and template, it uses the template `blank`. With both, the html fills the template's content.
 * Throws `unknown_template` with the valid ids, `template_failed`, `invalid_body` and `payload_too_large`.
 */
export async function composePage(
  call: SiteCall<'limits' | 'store' | 'tasks'>,
  page: PageSource,
): Promise<ComposedPage> {
  const { hold, site } = call
  const html = page.html === undefined ? undefined : toHtmlBytes(call, page.html)
  if (html !== undefined && page.templateId === undefined) return { html, templateId: null }
  const id = page.templateId ?? DEFAULT_TEMPLATE
  const values = { title: page.title ?? '', content: Buffer.from(html ?? []).toString() }
  const { source, isOwn } = readTemplate(call.store.reader.snapshot(site), id)
  const rendering = { id, values, source, maxCharacters: call.limits.maxHtmlBytes }
  const rendered = isOwn ? await call.tasks.run('renderTemplate', rendering, site) : renderTemplate(rendering, Infinity)
  // A template can make megabytes of a few words.
  await hold(rendered.length - (html?.byteLength ?? 0), 'made')
  return { html: toHtmlBytes(call, rendered), templateId: id }
}

/** Returns the site's own template with that id, or else the built-in one. */
function readTemplate(snapshot: Snapshot, id: string): { source: string; isOwn: boolean } {
  const entry = TEMPLATE_ID.test(id) ? snapshot.entry(`${TEMPLATE_DIR}/${id}${EXTENSION}`) : undefined
  if (entry !== undefined && isFile(entry.mode)) {
    if (snapshot.size(entry.oid) <= MAX_SOURCE_CHARACTERS)
      return { source: snapshot.blob(entry.oid).toString(), isOwn: true }
    throw new ServiceError('template_failed', `The template "${id}" is longer than ${MAX_SOURCE_CHARACTERS} bytes.`, {
      templateId: id,
    })
  }
  const builtin = BUILTIN_TEMPLATES.get(id)
  if (builtin !== undefined) return { source: builtin, isOwn: false }
  const valid = templatesOf(snapshot).map((template) => template.id)
  throw new ServiceError('unknown_template', `There is no template "${id}". The valid ones: ${valid.join(', ')}.`, {
    valid,
  })
}

/** Lists templates ordered by id; of a site's own, the first by name. */
function templatesOf(snapshot: Snapshot): TemplateData[] {
  const sources = new Map<string, TemplateData['source']>()
  for (const id of BUILTIN_TEMPLATES.keys()) sources.set(id, 'built-in')
  let looked = 0
  for (const { name, mode } of snapshot.eachEntry(TEMPLATE_DIR)) {
    if (++looked > MAX_LISTED) break
    const id = name.slice(0, -EXTENSION.length)
    if (name.endsWith(EXTENSION) && TEMPLATE_ID.test(id) && isFile(mode)) sources.set(id, 'site')
  }
  return [...sources].map(([id, source]) => ({ id, source })).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}
