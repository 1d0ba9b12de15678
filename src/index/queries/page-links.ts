// Lists links between the pages of a site. The answers describe the site's newest commit, as those of the index do.

import { askText, type IndexAnswer, type IndexQuery } from './index-reader.js'

/** A page that has a link, with the line of its first link to the target, from 1. */
export interface LinkingPage {
  pageId: string
  path: string
  line: number
}

export interface Backlinks {
  pages: (LinkingPage & { title: string | null })[]
  isMore: boolean
}

/** Lists the pages that link to a place, by path, from the one after `after`; without the page itself. */
export function listBacklinks(
  input: IndexQuery & { place: string; pageId: string; after: string; limit: number },
): IndexAnswer<Backlinks> {
  const { place, pageId, after, limit } = input
  return askText(input, (text) => {
    const pages = text.all<Backlinks['pages'][number]>(
      `SELECT page_id AS pageId, path, title, min(line) AS line
       FROM targets JOIN links ON links.target_id = targets.target_id JOIN pages ON pages.row_id = links.row_id
       WHERE place = ? AND page_id <> ? AND path > ? GROUP BY pages.row_id ORDER BY path LIMIT ?`,
      [place, pageId, after, limit + 1],
    )
    return { pages: pages.slice(0, limit), isMore: pages.length > limit }
  })
}

export interface Targets {
  targets: string[]
  /** Value of `from` for the next call; null after the last target. */
  next: number | null
}

const MAX_TARGETS = 20_000

/** Lists the targets of the site's links: all, or those at the given places. At most 20,000 at once. */
export function listTargets(input: IndexQuery & { from: number; places?: readonly string[] }): IndexAnswer<Targets> {
  const { from, places } = input
  const isThere = places === undefined ? '' : 'AND place IN (SELECT value FROM json_each(?))'
  return askText(input, (text) => {
    const rows = text.all<{ target_id: number; target: string }>(
      `SELECT target_id, target FROM targets WHERE target_id > ? ${isThere} ORDER BY target_id LIMIT ?`,
      [from, ...(places === undefined ? [] : [JSON.stringify(places)]), MAX_TARGETS],
    )
    const next = rows.length < MAX_TARGETS ? null : (rows.at(-1)?.target_id ?? null)
    return { targets: rows.map(({ target }) => target), next }
  })
}

/** The pages that link to a target. */
export interface LinksTo {
  target: string
  /** Number of pages that link to it. */
  count: number
  /** The first of these pages, by path. */
  pages: LinkingPage[]
}

const MAX_NAMED_PAGES = 50

/** Returns the links to each target. Leaves out targets without links, and the pages at the paths `except`. */
export function linksTo(
  input: IndexQuery & { targets: readonly string[]; except?: readonly string[] },
): IndexAnswer<LinksTo[]> {
  const except = JSON.stringify(input.except ?? [])
  const from = `FROM targets JOIN links ON links.target_id = targets.target_id JOIN pages ON pages.row_id = links.row_id
    WHERE target = ? AND path NOT IN (SELECT value FROM json_each(?))`
  return askText(input, (text) =>
    input.targets.flatMap((target) => {
      const count = text.first<{ count: number }>(`SELECT count(*) AS count ${from}`, [target, except])?.count ?? 0
      if (count === 0) return []
      const pages = text.all<LinkingPage>(`SELECT page_id AS pageId, path, line ${from} ORDER BY path LIMIT ?`, [
        target,
        except,
        MAX_NAMED_PAGES,
      ])
      return [{ target, count, pages }]
    }),
  )
}

/** Lists the pages that link to any of the places, by path, each with the line of its first such link. */
export function listLinking(
  input: IndexQuery & { places: readonly string[]; limit: number },
): IndexAnswer<LinkingPage[]> {
  return askText(input, (text) =>
    text.all<LinkingPage>(
      `SELECT page_id AS pageId, path, min(line) AS line
       FROM targets JOIN links ON links.target_id = targets.target_id JOIN pages ON pages.row_id = links.row_id
       WHERE place IN (SELECT value FROM json_each(?)) GROUP BY pages.row_id ORDER BY path LIMIT ?`,
      [JSON.stringify(input.places), input.limit],
    ),
  )
}

export interface LeftOutPage {
  pageId: string
  path: string
  /** `too_large`: nothing of it is read. `no_room`: the text of the site is full. `links`: it has more links than are read. */
  reason: 'too_large' | 'no_room' | 'links'
}

/** Lists by path the pages with a part that is neither searched nor checked for links. */
export function listLeftOut(input: IndexQuery & { limit: number }): IndexAnswer<LeftOutPage[]> {
  return askText(input, (text) =>
    text.all<LeftOutPage>(
      'SELECT page_id AS pageId, path, left_out AS reason FROM pages WHERE left_out IS NOT NULL ORDER BY path LIMIT ?',
      [input.limit],
    ),
  )
}
