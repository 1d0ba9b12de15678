// Links between the pages of a site, from its text. Lists the pages that link to a page, and warns of the links that a change breaks.

import type { BacklinkData, ChangeWarning } from '../../../schemas/pages.js'
import { brokenLink, type LinkWarning, MAX_LINK_WARNINGS } from '../../tasks/analysis/broken-links.js'
import type { LeftOutPage, LinksTo, Targets } from '../../index/queries/page-links.js'
import type { TreeChange } from '../../git/objects/diff.js'
import { ServiceError } from '../../model/errors.js'
import { placeOfFile, placeOfUrl } from '../../model/paths/link-place.js'
import { pagePathOf, parsePagePath, urlPathOf } from '../../model/paths/page-path.js'
import { pageUrlOf } from '../../model/hosts/site-url.js'
import { mainOf } from '../../repository/protocol/site-place.js'
import { REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import type { AtSite, Call, Changing, Reading } from '../context/call.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import { makeCursor, readCursor } from '../context/slice.js'
import { findPage } from './find-page.js'

const LIST = 'backlinks'
/** Milliseconds that a dry run waits for the site's text, to find out which links would break. */
const MAX_WAIT_MS = 2_000
/** The most removed files whose links are looked for. */
const MAX_PLACES = 2_000
const MAX_LOST_TARGETS = 500

const UNCHECKED: LinkWarning = {
  code: 'links_unchecked',
  path: null,
  message: 'Not every page was checked: there may be more broken links.',
}

/** Lists the pages of the site that link to a page, published or not, by path. */
export async function listBacklinks(
  call: Call<Changing>,
  { id, cursor, limit = DEFAULT_LIMIT }: ResourceId & SliceInput,
): Promise<Result<BacklinkData[]>> {
  const { site, row } = await findPage(call, id)
  const after = cursor === undefined ? '' : readCursor(LIST, cursor)
  const place = placeOfUrl(urlPathOf(parsePagePath(row.path))) ?? ''
  const { pages, isMore } = await call.indexFollower.ask(site, true, (query) =>
    call.tasks.run('listBacklinks', { ...query, place, pageId: row.id, after, limit }, site),
  )
  const data = pages.map(({ pageId, path, title, line }) => {
    return { id: pageId, siteId: site.id, path, url: pageUrlOf(call, site.slug, parsePagePath(path)), title, line }
  })
  return { data, nextCursor: isMore ? makeCursor(LIST, pages.at(-1)?.path ?? '') : null }
}

/** Asks the text of main for a change request too. Throws `site_busy` if it does not catch up within 10 s, or `waitMs`. */
export async function targetsOf(
  call: AtSite<'indexFollower' | 'tasks'>,
  which: { from: number; places?: readonly string[] },
  waitMs?: number,
): Promise<Targets> {
  const site = mainOf(call.site)
  return await call.indexFollower.ask(
    site,
    true,
    (query) => call.tasks.run('listTargets', { ...query, ...which }, site),
    waitMs,
  )
}

/** Leaves out the pages that a change request changes. Throws `site_busy` as `targetsOf` does. */
export async function linksTo(
  call: AtSite<Reading | 'tasks'>,
  { targets, except = [] }: { targets: readonly string[]; except?: readonly string[] },
  waitMs?: number,
): Promise<LinksTo[]> {
  if (targets.length === 0) return []
  const site = mainOf(call.site)
  const which = { targets, except: [...except, ...changedPages(call)] }
  return await call.indexFollower.ask(
    site,
    true,
    (query) => call.tasks.run('linksTo', { ...query, ...which }, site),
    waitMs,
  )
}

/** Throws `site_busy` as `targetsOf` does. */
export async function leftOutPages(call: AtSite<'indexFollower' | 'tasks'>, limit: number): Promise<LeftOutPage[]> {
  const site = mainOf(call.site)
  return await call.indexFollower.ask(site, true, (query) => call.tasks.run('listLeftOut', { ...query, limit }, site))
}

/** The findings of a task about the changed pages. */
interface Found {
  warnings: ChangeWarning[]
  isAllChecked: boolean
  /** Targets that led somewhere before the change. */
  lost: readonly string[]
}

/** Lets `find` look at the changed pages and at `targets`, and adds the links of other pages. */
export async function withLinksOfOthers<T extends Found>(
  call: AtSite<Reading | 'tasks'>,
  changes: readonly TreeChange[],
  find: (targets: readonly string[]) => Promise<T>,
): Promise<{ found: T; warnings: ChangeWarning[] }> {
  const atStake = await targetsAtStake(call, changes)
  const found = await find(atStake.targets)
  const room = MAX_LINK_WARNINGS - found.warnings.length
  const others = await linksOfOthers(call, { lost: found.lost, changes, room })
  const isAllChecked = found.isAllChecked && atStake.isComplete && others !== undefined
  return { found, warnings: [...found.warnings, ...(others ?? []), ...(isAllChecked ? [] : [UNCHECKED])] }
}

/** Returns the warnings of a commit, with those changes: what a dry run tells, without links that were broken before. */
export async function warningsOf(
  call: AtSite<Reading | 'tasks'>,
  { id, parent }: { id: string; parent: string | null },
  changes: readonly TreeChange[],
): Promise<ChangeWarning[]> {
  if (parent === null) return []
  const [base, draft] = [sourceAt(call, parent), sourceAt(call, id)]
  const find = async (targets: readonly string[]) =>
    await call.tasks.run('findWarnings', { base, draft, targets, onlyNew: true }, call.site)
  return (await withLinksOfOthers(call, changes, find)).warnings
}

function sourceAt({ store, site }: AtSite<'store'>, commit: string) {
  return { ...store.sourceOf(site), commit }
}

/** Returns the link targets that a change may take away; incomplete if they are very many, or the text does not catch up in time. */
async function targetsAtStake(
  call: AtSite<Reading | 'tasks'>,
  changes: readonly TreeChange[],
): Promise<{ targets: readonly string[]; isComplete: boolean }> {
  const removed = changes.filter(({ after }) => after === undefined)
  // Rules can make any path a target.
  const isRuled = changes.some(({ path, before }) => path === REDIRECTS_FILE && before !== undefined)
  if (removed.length === 0 && !isRuled) return { targets: [], isComplete: true }
  const isAllInText = changedPages(call).size === 0
  const places = removed.slice(0, MAX_PLACES).flatMap(({ path }) => placeOfFile(path) ?? [])
  const found = await unlessBusy(targetsOf(call, { from: 0, ...(!isRuled && { places }) }, MAX_WAIT_MS))
  return {
    targets: found?.targets ?? [],
    isComplete: isAllInText && found?.next === null && removed.length <= MAX_PLACES,
  }
}

/**
 * Returns warnings for the links of pages that do not change: at most `room`, and one that counts the rest. Undefined if the site's text
 * does not catch up in time.
 */
async function linksOfOthers(
  call: AtSite<Reading | 'tasks'>,
  { lost, changes, room }: { lost: readonly string[]; changes: readonly TreeChange[]; room: number },
): Promise<LinkWarning[] | undefined> {
  const except = changes.flatMap(({ path }) => pagePathOf(path) ?? [])
  const targets = lost.slice(0, MAX_LOST_TARGETS)
  const links = await unlessBusy(linksTo(call, { targets, except }, MAX_WAIT_MS))
  if (links === undefined) return undefined
  const warnings = links
    .flatMap(({ target, pages }) => pages.map(({ path }) => brokenLink(path, target)))
    .slice(0, room)
  const rest = links.reduce((sum, { count }) => sum + count, 0) - warnings.length
  if (rest > 0) {
    const message = `${rest} more ${rest === 1 ? 'link' : 'links'} of other pages would lead nowhere.`
    warnings.push({ code: 'broken_link', path: null, message })
  }
  return warnings
}

async function unlessBusy<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'site_busy') return undefined
    throw error
  }
}

/** Returns the paths of the pages that main, as it is now, has otherwise or lacks; none for main itself. The text of the site says nothing of these. */
export function changedPages({ store, site }: AtSite<'store'>): Set<string> {
  if (site.request === undefined) return new Set()
  const main = store.reader.snapshot(mainOf(site)).commit
  const changes = store.commits.changesSince(site, main, store.reader.snapshot(site).commit)
  return new Set(changes.flatMap(({ path }) => pagePathOf(path) ?? []))
}
