// Finds the pages that link to some places. A change request has no text of its own. Main's text tells of the pages that it has as main does. Its
// other pages are read.

import type { LinkingPage } from '../../index/queries/page-links.js'
import type { PageRow } from '../../index/tables/rows.js'
import { type PagePath, urlPathOf } from '../../model/paths/page-path.js'
import { mainOf } from '../../repository/protocol/site-place.js'
import type { AtSite, Reading } from '../context/call.js'
import { changedPages } from '../pages/links.js'
import { pathOf } from '../pages/page-data.js'
import { inParts } from './in-parts.js'

/** The bytes of html that one task reads. */
const BYTES_AT_ONCE = 2 * 1024 * 1024
/** Paths to ask the index about at once. */
const MAX_ASKED = 100

type Asking = AtSite<Reading | 'tasks'>

/** Lists such pages by path. Throws `site_busy` if the site's text does not catch up in time. */
export async function findLinking(call: Asking, places: readonly string[], limit: number): Promise<LinkingPage[]> {
  if (call.site.request === undefined) return await askText(call, places, limit)
  const changed = changedPages(call)
  const onMain = await askText({ ...call, site: mainOf(call.site) }, places, limit + changed.size)
  const own = await readEach(call, [...changed], places)
  const all = [...onMain.filter(({ path }) => !changed.has(path)), ...own]
  return all.toSorted((a, b) => (a.path < b.path ? -1 : 1)).slice(0, limit)
}

async function askText({ indexFollower, site, tasks }: Asking, places: readonly string[], limit: number) {
  return await indexFollower.ask(site, true, (query) => tasks.run('listLinking', { ...query, places, limit }, site))
}

async function readEach(call: Asking, paths: readonly string[], places: readonly string[]): Promise<LinkingPage[]> {
  const { site, store, tasks } = call
  const source = store.sourceOf(site, store.reader.snapshot(site))
  const found: LinkingPage[] = []
  for (const rows of inParts(await findRows(call, paths), ({ size }) => size, BYTES_AT_ONCE)) {
    const pages = rows.map((row) => ({ blob: row.blob ?? '', at: urlPathOf(pathOf(row)) }))
    const lines = await tasks.run('findLinking', { source, pages, places }, site)
    for (const [at, { id: pageId, path }] of rows.entries())
      if (lines[at] != null) found.push({ pageId, path, line: lines[at] })
  }
  return found
}

/** Finds the published pages at these paths. */
async function findRows({ indexFollower, site }: Asking, paths: readonly string[]): Promise<PageRow[]> {
  const rows: PageRow[] = []
  for (let at = 0; at < paths.length; at += MAX_ASKED) {
    const asked = paths.slice(at, at + MAX_ASKED) as PagePath[]
    rows.push(...(await indexFollower.read(site, ({ pages }) => asked.flatMap((path) => pages.findByPath(path) ?? []))))
  }
  return rows.filter(({ blob }) => blob !== null)
}
