// Checks the health of a site: everything in its tree that is skipped or hidden, and why. Tasks read whole trees and pages; sidecars,
// collections and records are read here, in small steps. Stops after 10 s or 500 findings.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChecksData } from '../../../schemas/sites.js'
import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import { MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import { MAX_FINDINGS } from '../../tasks/analysis/finding.js'
import type { Targets } from '../../index/queries/page-links.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_MESSAGE_CHARACTERS, MAX_TREE_PATH_CHARACTERS } from '../../model/limits.js'
import { LONG_DIR, parsePagePath, treePathOf } from '../../model/paths/page-path.js'
import { cutToBytes } from '../../model/text-parts.js'
import { COLLECTION_DIR, FORMER_DIR, SIDECAR_DIR, sidecarPathOf } from '../../repository/format/site-format.js'
import { MAX_BLOB_BYTES } from '../../model/bytes.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { SnapshotSource } from '../../repository/reading/snapshot-source.js'
import type { AtSite, Call, Reading, Writing } from '../context/call.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { findSite } from '../context/target.js'
import { changedPages, leftOutPages, linksTo, targetsOf } from '../pages/links.js'
import { MetadataCheck } from './check-metadata.js'

const MAX_CHECK_MS = 10_000
/** The most pages that are named for one target. */
const MAX_NAMED_PAGES = 10
const PASSED_OVER = {
  too_large: `The page has more than ${MAX_BLOB_BYTES} bytes: it is served, but not searched or checked. Make it smaller.`,
  no_room:
    'The site has more text than can be searched, so this page is found only by its title. Remove pages, or ask the operator for more room.',
} as const
/** Milliseconds that a check runs before the thread serves others. */
const STEP_MS = 20

export async function checkSite(asked: Call<Writing | 'tasks'>, input: ResourceId): Promise<Result<ChecksData>> {
  const call = { ...asked, site: findSite(asked, input.id) }
  const { site } = call
  const snapshot = call.store.reader.snapshot(site)
  const findings: Reported[] = []
  const end = performance.now() + MAX_CHECK_MS
  let complete = true
  for await (const finding of checkAll(call, snapshot)) {
    if (finding === 'unchecked') complete = false
    else if (finding !== undefined) findings.push(toReported(finding))
    if (findings.length > MAX_FINDINGS || performance.now() > end) {
      complete = false
      break
    }
  }
  const checkedAt = toTimestamp(toSeconds(call.clock()))
  const { commit } = snapshot
  return { data: { siteId: site.id, commit, complete, findings: findings.slice(0, MAX_FINDINGS), checkedAt } }
}

/** One finding of the answer; a broken link has its target and the pages that link to it. */
type Reported = ChecksData['findings'][number]

/** Cuts paths, messages and targets to the length that an answer may hold: a tree or a page can have longer ones. */
function toReported({ path, message, target, ...rest }: Reported): Reported {
  return {
    path: cutToBytes(path, MAX_TREE_PATH_CHARACTERS),
    message: cutToBytes(message, MAX_MESSAGE_CHARACTERS),
    ...(target !== undefined && { target: cutToBytes(target, MAX_MESSAGE_CHARACTERS) }),
    ...rest,
  }
}

/** A finding; `unchecked` if something was left out; undefined in between, so that the caller can stop a long check. */
type Step = Reported | 'unchecked' | undefined

/** Yields damage of the repository first, then files that are not served as intended, then broken links. */
async function* checkAll(call: AtSite<Reading | 'tasks'>, snapshot: Snapshot): AsyncGenerator<Step> {
  const { site } = call
  for (const { siteId, subject, what, remedy } of call.store.troubles.list()) {
    if (siteId === site.id) yield { code: 'damaged_repository', path: subject, message: `${what} ${remedy}` }
  }
  const source = call.store.sourceOf(site, snapshot)
  const { findings, isComplete } = await call.tasks.run('checkTree', source, site)
  yield* findings
  if (!isComplete) yield 'unchecked'
  yield* inSteps(checkMetadata(new MetadataCheck(snapshot, call.tasks, site.workspaceId), snapshot))
  const inert = await call.indexFollower.read(site, (index) => index.pages.inertSidecars())
  for (const { pageId, path, winnerId } of inert) {
    const message = `Two sidecars name the page ${path}. Its id is the lower one, ${winnerId}: remove this sidecar.`
    yield { code: 'duplicate_sidecar', path: sidecarPathOf(pageId), message }
  }
  yield* checkAllLinks(call, source)
}

/**
 * Yields one finding for each target. Leaves links unchecked if the site's text index does not catch up in time, and those of the pages that
 * a change request changes.
 */
async function* checkAllLinks(call: AtSite<Reading | 'tasks'>, source: SnapshotSource): AsyncGenerator<Step> {
  if (changedPages(call).size > 0) yield 'unchecked'
  try {
    yield* listPassedOver(call)
    for (let from: number | null = 0; from !== null; ) {
      const { targets, next }: Targets = await targetsOf(call, { from })
      for (let first = 0; first < targets.length; ) {
        const rest = targets.slice(first)
        const { lost, checked } = await call.tasks.run('lostTargets', { source, targets: rest }, call.site)
        yield* reportLost(call, lost)
        first += checked
      }
      from = next
    }
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'site_busy') throw error
    yield 'unchecked'
  }
}

async function* reportLost(call: AtSite<Reading | 'tasks'>, lost: readonly string[]): AsyncGenerator<Step> {
  for (const { target, count, pages } of await linksTo(call, { targets: lost.slice(0, MAX_FINDINGS) })) {
    const message = `The link to ${target} leads nowhere.`
    const named = pages.slice(0, MAX_NAMED_PAGES).map(({ pageId, path, line }) => ({ id: pageId, path, line }))
    const file = named[0] === undefined ? '' : treePathOf(parsePagePath(named[0].path))
    yield { code: 'broken_link', path: file, message, target, count, pages: named }
  }
  yield lost.length > MAX_FINDINGS ? 'unchecked' : undefined
}

/** Yields the pages that the service does not read completely. */
async function* listPassedOver(call: AtSite<'indexFollower' | 'tasks'>): AsyncGenerator<Step> {
  for (const { path, reason } of await leftOutPages(call, MAX_FINDINGS)) {
    if (reason === 'links') yield 'unchecked'
    else
      yield {
        code: reason === 'too_large' ? reason : 'not_searched',
        path: treePathOf(parsePagePath(path)),
        message: PASSED_OVER[reason],
      }
  }
}

/** Checks sidecars, collections and records, which lie in the root and in folders of their own. */
async function* checkMetadata(metadata: MetadataCheck, snapshot: Snapshot): AsyncGenerator<Step> {
  yield* metadata.checkSiteFile()
  for (const top of [LONG_DIR, SIDECAR_DIR, COLLECTION_DIR, FORMER_DIR]) {
    for (const { folder, entry } of walkEntries(snapshot, top)) yield* metadata.checkEntry(folder, entry)
  }
  yield* metadata.finish()
}

/** Yields every entry below a folder: a folder's entries come before those of its subfolders. */
function* walkEntries(snapshot: Snapshot, folder: string): Generator<{ folder: string; entry: TreeEntry }> {
  const folders: string[] = []
  for (const entry of snapshot.eachEntry(folder)) {
    yield { folder, entry }
    if (entry.mode === MODE_TREE) folders.push(joinTreePath(folder, entry.name))
  }
  for (const path of folders) yield* walkEntries(snapshot, path)
}

async function* inSteps(steps: AsyncGenerator<Step>): AsyncGenerator<Step> {
  let turn = performance.now() + STEP_MS
  for await (const step of steps) {
    yield step
    if (performance.now() < turn) continue
    await nextTurn()
    turn = performance.now() + STEP_MS
  }
}
