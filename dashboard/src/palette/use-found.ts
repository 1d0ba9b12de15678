// Asks the service for what the palette offers: the sites and people once, and the pages that the typed words mean.

import { api, dataOf, type Me, type Member, type PageHit, type Page, type Site, siteApi } from '../api/client.js'
import { useLoaded } from '../api/use-loaded.js'
import { useSettled } from '../api/use-settled.js'
import { nameOfSite } from '../format.js'
import { means, type Option, wordsIn } from './option.js'

const MAX_LISTED = 1000
const SETTLE_MS = 150
/** Pages found in the shown site, and in each other one. */
const MAX_PAGES = 6
const MAX_ELSEWHERE = 3
/** Each other site takes a request: more of them are not asked. */
const MAX_SITES_ASKED = 6

export function useSites(): readonly Site[] | undefined {
  return useLoaded<readonly Site[]>('sites of the palette', async (signal) =>
    dataOf(await api.GET('/sites', { params: { query: { limit: MAX_LISTED } }, signal })),
  ).data
}

/** Only those who manage people may list them. */
export function usePeople(me: Me): readonly Member[] {
  const isAdmin = me.scopes.includes('admin')
  const { data = [] } = useLoaded<readonly Member[]>(`people of the palette ${isAdmin}`, async (signal) =>
    isAdmin ? dataOf(await api.GET('/members', { params: { query: { limit: MAX_LISTED } }, signal })) : [],
  )
  return data
}

/** Pages by title and path, in all asked sites, and by text in the shown one. The shown site comes first. */
export function usePages(words: string, sites: readonly Site[] | undefined, slug: string | undefined) {
  const settled = useSettled(words.trim(), SETTLE_MS)
  const isAsked = sites !== undefined && settled !== ''
  const { data, error } = useLoaded<readonly Option[]>(
    `pages ${isAsked ? settled : ''} ${slug ?? ''}`,
    async (signal) => (isAsked ? await findPages(settled, inOrder(sites, slug), slug, signal) : []),
  )
  const isOld = settled !== words.trim()
  const isLate = words.trim() !== '' && (isOld || (data === undefined && error === undefined))
  // Pages that were found for earlier words stay where the new words mean them too.
  return { pages: (data ?? []).filter((page) => !isOld || means(page, wordsIn(words))), isLate }
}

function inOrder(sites: readonly Site[], slug: string | undefined): readonly Site[] {
  const shown = sites.filter((site) => site.slug === slug)
  return [...shown, ...sites.filter((site) => site.slug !== slug).slice(0, MAX_SITES_ASKED)]
}

async function findPages(q: string, sites: readonly Site[], slug: string | undefined, signal: AbortSignal) {
  const found = await Promise.all(
    sites.map(async (site) => {
      const client = siteApi(site)
      const isShown = site.slug === slug
      const limit = isShown ? MAX_PAGES : MAX_ELSEWHERE
      const [named, hits] = await Promise.all([
        client.GET('/pages', { params: { query: { q, limit } }, signal }).then(entriesOf<Page>),
        isShown
          ? client.GET('/search', { params: { query: { q, limit: MAX_PAGES } }, signal }).then(entriesOf<PageHit>)
          : [],
      ])
      const others = hits.filter(({ id }) => !named.some((page) => page.id === id))
      return [...named, ...others].slice(0, 2 * limit).map((page) => toOption(site, page))
    }),
  )
  return found.flat()
}

/** A site that was deleted meanwhile, or words that its search refuses, leave the rest as it is. */
function entriesOf<T>({ data }: { data?: { data: T[] } | undefined }): readonly T[] {
  return data?.data ?? []
}

function toOption(site: Site, { id, path, title }: Pick<Page, 'id' | 'path' | 'title'>): Option {
  const to = `/sites/${site.slug}/pages/${id}`
  const isNamed = title !== null && title !== ''
  const hint = isNamed ? `${path} · ${nameOfSite(site)}` : nameOfSite(site)
  return { key: to, group: 'Pages', label: isNamed ? title : path, hint, icon: 'page', to }
}
