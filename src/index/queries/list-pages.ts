// Lists pages by a part of their path or title. Every page of the site is compared.

import type { Listing, PageQuery, PageRow } from '../tables/rows.js'
import { type IndexAnswer, type IndexQuery, readIndex } from './index-reader.js'

export interface PagesQuery extends IndexQuery {
  query: PageQuery
}

/** Lists the pages. Throws `invalid_cursor`. */
export function listPages(input: PagesQuery): IndexAnswer<Listing<PageRow>> {
  return readIndex(input, (index) => ({ answer: index.pages.list(input.query) }))
}
