// Searches the text of the published pages of one site.

import type { PageHitData } from '../../../schemas/search.js'
import { pageUrlOf } from '../../model/hosts/site-url.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { SiteRef } from '../../repository/protocol/write.js'
import type { Call } from '../context/call.js'
import type { SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { makeCursor, readCursor } from '../context/slice.js'
import { siteOf } from '../context/target.js'

export interface SearchInput extends SliceInput {
  q: string
  prefix?: string
}

const LIST = 'search'
const DEFAULT_HITS = 20
/** Milliseconds that a visitor's search waits for the index. */
const MAX_HOSTED_WAIT_MS = 1_000

/** Lists the best pages first, as of the newest write answered before. Throws `invalid_cursor`. */
export async function searchPages(
  asked: Call<'baseUrl' | 'catalog' | 'indexFollower' | 'siteDomain' | 'tasks'>,
  { q, prefix, cursor, limit = DEFAULT_HITS }: SearchInput,
): Promise<Result<PageHitData[]>> {
  const call = { ...asked, site: siteOf(asked) }
  const { site } = call
  const from = cursor === undefined ? 0 : Math.max(0, Math.trunc(Number(readCursor(LIST, cursor))) || 0)
  const search = { q, prefix: prefix === undefined ? undefined : toPathPrefix(prefix), from, limit }
  const { hits, isMore } = await call.indexFollower.ask(site, true, (index) =>
    call.tasks.run('searchPages', { ...index, ...search }, { workspaceId: site.workspaceId }),
  )
  const data = hits.map(({ pageId, path, title, lines }) => {
    return { id: pageId, siteId: site.id, path, url: pageUrlOf(call, site.slug, parsePagePath(path)), title, lines }
  })
  return { data, nextCursor: isMore ? makeCursor(LIST, String(from + limit)) : null }
}

/** Searches for visitors of a site that switched search on. Throws `site_busy` if the index does not catch up within a second. */
export async function searchHosted(
  services: Pick<Services, 'indexFollower' | 'tasks'>,
  site: SiteRef,
  search: { q: string; from: number; limit: number },
) {
  return await services.indexFollower.ask(
    site,
    true,
    // Visitors wait in a queue of their own, not in that of the site's workspace.
    (index) => services.tasks.run('searchPages', { ...index, ...search }, { workspaceId: site.id }),
    MAX_HOSTED_WAIT_MS,
  )
}

/** Returns the beginning of a page path, as clients write it: `docs` is `/docs`. */
export function toPathPrefix(prefix: string): string {
  return `/${prefix.normalize('NFC').replace(/^\//, '')}`
}
