// The index follows the repositories: whoever reads first catches up first. A read through here is at least as new as
// every write answered before it. The catching up is done by a thread of its own; who waits long for it gets the pages as
// they are now, and is told to come back for the rest.

import { setTimeout as delay } from 'node:timers/promises'
import { IndexLost, type SiteIndex } from '../catalog/index/site-index.js'
import { IndexMoved } from '../catalog/index/tables/standing.js'
import type { Site } from '../catalog/sites.js'
import { ServiceError } from '../model/errors.js'
import { type CommitFacts, countChanges, MOST_CHANGES_AT_ONCE } from '../model/facts.js'
import { readTitle } from '../store/format/html-title.js'
import type { Services } from '../usecases/context/services.js'

/** How long a read waits for a catch-up that goes on without it. */
const PATIENCE_MS = 5_000
/** How long one of pages alone waits for it, before it asks for the pages by themselves. */
const PATIENCE_FOR_PAGES_MS = 250
/** How often an index that is lost, or moved by another process, is taken up again. */
const MOST_TRIES = 5

/** For how long a site that was found current is only expected to change by our own writes, whose facts come with their answers. */
const TRUST_MS = 200

interface Progress {
  /** The catch-up that is running: one at a time for each site. */
  walk?: Promise<void>
  /** When it began, monotonic milliseconds. */
  walkingSince: number
  /** Where the index stood when it had every write answered until then. */
  commit?: string | undefined
  /** When the index got there, or was found to be there, monotonic milliseconds. */
  knownAt: number
  /** When that was last compared with the repository, monotonic milliseconds. */
  checkedAt: number
}

/** By site. */
const progresses = new WeakMap<SiteIndex, Map<string, Progress>>()

/** Pages as of one commit, and the sidecars that name their paths. */
export type Pages = Pick<SiteIndex, 'page' | 'pageByPath' | 'pages' | 'sidecarAt'> & { commit: string }

/** Asks the index, as of one moment, once it has caught up with the sites; again where its file was lost meanwhile. */
export async function readIndex<T>(services: Services, sites: readonly Site[], ask: () => T): Promise<T> {
  return await again(async () => {
    for (const site of sites) await catchUp(services, site)
    return services.index.atOneMoment(() => {
      // A push to one of them may be on its way into the index since.
      const isMoving = sites.some(({ id }) => services.index.indexedCommit(id) === undefined)
      if (isMoving) throw new IndexMoved('A site is between two commits.')
      return ask()
    })
  })
}

/**
 * Asks for pages of a site as it is now. Behind a long catch-up they come without what only the history says: a page that
 * it has not reached has no version number, and its entity tag is the commit that it was read at.
 */
export async function readPages<T>(services: Services, site: Site, ask: (pages: Pages) => T): Promise<T> {
  const { index } = services
  return await again(async () => {
    const isWhole = await arrivesSoon(services, site)
    if (!isWhole && index.tipCommit(site.id) !== services.store.snapshot(site).commit) {
      await waitFor(services.indexer.bring(site, 'pages'), PATIENCE_MS)
    }
    return index.atOneMoment(() => {
      const tip = isWhole ? undefined : index.tipCommit(site.id)
      const commit = tip ?? index.indexedCommit(site.id)
      // The walk may have arrived meanwhile, and what was ahead of it is gone.
      if (commit === undefined || (tip === undefined && !isWhole)) throw new IndexMoved('The pages have moved on.')
      const source = tip === undefined ? index : index.tip(site.id)
      return ask({
        commit,
        page: (siteId, pageId) => source.page(siteId, pageId),
        pageByPath: (siteId, path) => source.pageByPath(siteId, path),
        pages: (siteId, query) => source.pages(siteId, query),
        sidecarAt: (siteId, path) => source.sidecarAt(siteId, path),
      })
    })
  })
}

/**
 * Brings the index to the site's head: as new as every write answered before, and every push older than 400 ms.
 * Throws `site_unreadable`, and `site_busy` when that takes longer than 5 s.
 */
export async function catchUp(services: Services, site: Site): Promise<void> {
  const walk = startWalk(services, site)
  if (walk !== undefined) await waitFor(walk, PATIENCE_MS)
}

/**
 * Takes what a write of ours did without reading it from git. False when the index stands elsewhere, or the write did very
 * much: the next read catches up. Throws IndexLost and IndexMoved.
 */
export function applyOwn(services: Services, site: Site, facts: CommitFacts): boolean {
  const progress = progressOf(services, site)
  const isLarge = countChanges(facts) > MOST_CHANGES_AT_ONCE
  if (isLarge || progress.walk !== undefined || progress.commit !== facts.parent) {
    distrust(services, site)
    return false
  }
  services.index.apply(site.id, [facts], titlesOf(services, site))
  Object.assign(progress, { commit: facts.oid, knownAt: performance.now() })
  return true
}

/** The next read compares the index with the repository before it answers. */
export function distrust(services: Services, site: Site): void {
  progressOf(services, site).checkedAt = -Infinity
}

/** The catch-up that runs, or has to; undefined when there is nothing to catch up with. */
function startWalk(services: Services, site: Site): Promise<void> | undefined {
  const progress = progressOf(services, site)
  if (progress.walk !== undefined) return progress.walk
  if (isTrusted(services, site, progress) || isCurrent(services, site, progress)) return undefined
  progress.walkingSince = performance.now()
  progress.walk = walkToHead(services, site, progress).finally(() => delete progress.walk)
  return progress.walk
}

/** Ends only when the index is at the head, so that whoever joined late is served by it too. */
async function walkToHead(services: Services, site: Site, progress: Progress): Promise<void> {
  do {
    const lost = await services.indexer.bring(site, 'head')
    // Someone moved main past the hook: the old tip is kept for the operator. It may be pruned already, which must not
    // keep the site from being read: fsck names what is lost.
    for (const commit of lost) await services.store.keepLost(site, commit).catch(() => undefined)
  } while (!isCurrent(services, site, progress))
}

/** False when the catch-up is a long one. */
async function arrivesSoon(services: Services, site: Site): Promise<boolean> {
  const walk = startWalk(services, site)
  if (walk === undefined) return true
  const { walkingSince } = progressOf(services, site)
  return await isDoneWithin(walk, walkingSince + PATIENCE_FOR_PAGES_MS - performance.now())
}

function isTrusted({ index, store }: Services, site: Site, { commit, checkedAt, knownAt }: Progress): boolean {
  const isRecent = performance.now() - checkedAt < TRUST_MS
  if (!isRecent || commit === undefined || index.indexedCommit(site.id) !== commit) return false
  // What a visitor has seen already, the API shows too.
  const seen = store.seenHead(site)
  return seen === undefined || seen.commit === commit || seen.readAt < knownAt
}

function isCurrent({ index, store }: Services, site: Site, progress: Progress): boolean {
  const { commit } = store.snapshot(site)
  if (index.indexedCommit(site.id) !== commit) return false
  const now = performance.now()
  Object.assign(progress, { commit, knownAt: now, checkedAt: now })
  return true
}

function progressOf({ index }: Services, site: Site): Progress {
  let bySite = progresses.get(index)
  if (bySite === undefined) progresses.set(index, (bySite = new Map()))
  let progress = bySite.get(site.id)
  if (progress === undefined) {
    bySite.set(site.id, (progress = { walkingSince: 0, knownAt: -Infinity, checkedAt: -Infinity }))
  }
  return progress
}

async function again<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof IndexLost || error instanceof IndexMoved)) throw error
      if (tries === MOST_TRIES) throw Object.assign(isBusy(), { cause: error })
    }
  }
}

/** A page without a sidecar has its document's title; a blob that cannot be read has none. */
function titlesOf({ store }: Services, site: Site): { title(oid: string): string | null } {
  return {
    title(oid) {
      try {
        return readTitle(store.snapshot(site).blob(oid))
      } catch (error) {
        if (error instanceof ServiceError) return null
        throw error
      }
    },
  }
}

async function waitFor(work: Promise<unknown>, patience: number): Promise<void> {
  if (!(await isDoneWithin(work, patience))) throw isBusy()
}

function isBusy(): ServiceError {
  return new ServiceError(
    'site_busy',
    'The index of this site is being rebuilt from its repository. Try again shortly.',
  )
}

/** Rejects as `work` does, as long as it is waited for. */
async function isDoneWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  // Nobody else may be waiting: what becomes of it shows at the next read.
  work.catch(() => undefined)
  if (milliseconds <= 0) return false
  const stop = new AbortController()
  const late = delay(milliseconds, 'late', { signal: stop.signal, ref: false }).catch(() => undefined)
  try {
    return (await Promise.race([work, late])) !== 'late'
  } finally {
    stop.abort()
  }
}
