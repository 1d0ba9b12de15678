// The address of a new page: as it was typed, or made of the title and free.

import { type Page, type Site, siteApi, sliceOf } from '../../../api/client.js'
import { useLoaded } from '../../../api/use-loaded.js'
import { useSettled } from '../../../api/use-settled.js'
import type { NewPageDraft } from '../../../browser/drafts.js'
import { addressOfPath, addressOfTitle, freeAddress } from './address.js'

const TYPING_MS = 250
/** Pages with like addresses that are looked at. */
const LOOKED_AT = 200

export interface Address {
  path: string
  /** The page that is live at the address that was wanted. */
  taken: Page | undefined
}

export function useAddress(site: Site, { path, title }: Pick<NewPageDraft, 'path' | 'title'>): Address {
  const isTyped = path !== ''
  const { data: first } = useLoaded<readonly Page[]>(`first page ${site.id}`, (signal) =>
    pagesLike(site, '/', { limit: 1, signal }),
  )
  // The first page of a site is its start page.
  const isFirst = first?.length === 0 && !isTyped
  const named = isTyped ? addressOfPath(path) : addressOfTitle(title)
  const wanted = isFirst ? '/' : named
  const settled = useSettled(named, TYPING_MS)
  const { data: like = [] } = useLoaded<readonly Page[]>(`pages like ${site.id} ${settled}`, (signal) =>
    pagesLike(site, settled, { limit: LOOKED_AT, signal }),
  )
  const taken = like.find((page) => page.path === wanted)
  const isFree = isTyped || taken === undefined
  return { path: isFree ? wanted : freeAddress(wanted, new Set(like.map((page) => page.path))), taken }
}

async function pagesLike(
  site: Site,
  prefix: string,
  { limit, signal }: { limit: number; signal: AbortSignal },
): Promise<readonly Page[]> {
  return sliceOf<Page>(await siteApi(site).GET('/pages', { params: { query: { prefix, limit } }, signal })).entries
}
