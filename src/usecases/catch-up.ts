// The index follows the repositories: whoever reads first catches up first. A read through here is at least as new as
// every write answered before it; a long catch-up yields to other work, and those who wait for it are told to come back.

import { setImmediate as yieldToOthers, setTimeout as delay } from 'node:timers/promises'
import { IndexMoved } from '../catalog/index/apply.js'
import { IndexLost, type SiteIndex } from '../catalog/index/site-index.js'
import type { Site } from '../catalog/sites.js'
import { ServiceError } from '../model/errors.js'
import type { CommitFacts } from '../model/facts.js'
import { HistoryRewritten } from '../store/commit-facts.js'
import { readTitle } from '../store/html-title.js'
import type { Services } from './services.js'

/** One transaction takes at most this many commits, and this long. */
const CHUNK_COMMITS = 100
const CHUNK_MS = 25
/** How long a read waits for a catch-up that goes on without it. */
const PATIENCE_MS = 5_000
/** How often an index that is lost, or moved by another process, is taken up again. */
const MOST_RESTARTS = 5

/** For how long a site that was found current is only expected to change by our own writes, whose facts come with their answers. */
const TRUST_MS = 200

interface Progress {
  /** The catch-up that is running: one at a time for each site. */
  walk?: Promise<void>
  /** Where the index stood when it had every write answered until then. */
  commit?: string | undefined
  /** When the index got there, or was found to be there, monotonic milliseconds. */
  knownAt: number
  /** When that was last compared with the repository, monotonic milliseconds. */
  checkedAt: number
}

/** By site. */
const progresses = new WeakMap<SiteIndex, Map<string, Progress>>()

/** Asks the index once it has caught up with the sites; again where its file was lost meanwhile. */
export async function readIndex<T>(services: Services, sites: readonly Site[], ask: () => T): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    for (const site of sites) await catchUp(services, site)
    try {
      return ask()
    } catch (error) {
      if (!(error instanceof IndexLost) || tries === MOST_RESTARTS) throw error
    }
  }
}

/**
 * Brings the index to the site's head: as new as every write answered before, and every push older than 400 ms.
 * Throws `site_unreadable`, and `site_busy` when that takes longer than 5 s.
 */
export async function catchUp(services: Services, site: Site): Promise<void> {
  const progress = progressOf(services, site)
  if (progress.walk === undefined) {
    if (isTrusted(services, site, progress) || isCurrent(services, site, progress)) return
    progress.walk = walkToHead(services, site, progress).finally(() => delete progress.walk)
  }
  await waitFor(progress.walk)
}

/**
 * Takes what a write of ours did without reading it from git. False when the index stands elsewhere: the next read
 * catches up. Throws IndexLost and IndexMoved.
 */
export function applyOwn(services: Services, site: Site, facts: CommitFacts): boolean {
  const progress = progressOf(services, site)
  if (progress.walk !== undefined || progress.commit !== facts.parent) {
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
  if (progress === undefined) bySite.set(site.id, (progress = { knownAt: -Infinity, checkedAt: -Infinity }))
  return progress
}

/** Ends only when the index is at the head, so that whoever joined late is served by it too. */
async function walkToHead(services: Services, site: Site, progress: Progress): Promise<void> {
  let restarts = 0
  while (!isCurrent(services, site, progress)) {
    try {
      await applyNew(services, site)
    } catch (error) {
      if (error instanceof HistoryRewritten) await startOver(services, site)
      else if (!(error instanceof IndexLost || error instanceof IndexMoved)) throw error
      restarts += 1
      if (restarts === MOST_RESTARTS) throw error
    }
  }
}

async function applyNew(services: Services, site: Site): Promise<void> {
  const { index, store } = services
  const facts = store.factsSince(site, index.indexedCommit(site.id))
  for (;;) {
    const chunk = takeChunk(facts)
    if (chunk.length === 0) return
    index.apply(site.id, chunk, titlesOf(services, site))
    await yieldToOthers()
  }
}

function takeChunk(facts: Iterator<CommitFacts>): CommitFacts[] {
  const chunk: CommitFacts[] = []
  const end = performance.now() + CHUNK_MS
  while (chunk.length < CHUNK_COMMITS && performance.now() < end) {
    const next = facts.next()
    if (next.done === true) break
    chunk.push(next.value)
  }
  return chunk
}

/** Someone moved main past the hook: the old tip is kept for the operator, and the site indexed anew. */
async function startOver({ index, store }: Services, site: Site): Promise<void> {
  const lost = index.indexedCommit(site.id)
  index.reset(site.id)
  // The old tip may be pruned already. That must not keep the site from being read: fsck names what is lost.
  if (lost !== undefined) await store.keepLost(site, lost).catch(() => undefined)
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

async function waitFor(walk: Promise<void>): Promise<void> {
  const stop = new AbortController()
  const late = delay(PATIENCE_MS, 'late', { signal: stop.signal, ref: false }).catch(() => undefined)
  try {
    const first = await Promise.race([walk, late])
    if (first !== 'late') return
  } finally {
    stop.abort()
  }
  // Nobody else may be waiting: what becomes of the walk shows at the next read.
  walk.catch(() => undefined)
  throw new ServiceError('site_busy', 'The index of this site is being rebuilt from its repository. Try again shortly.')
}
