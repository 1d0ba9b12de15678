// Checks the health of a site: everything in its tree that is skipped or hidden, and why. Tasks read whole trees and pages; sidecars,
// collections and records are read here, in small steps. Stops after 10 s or 500 findings.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ChecksData } from '../../../schemas/sites.js'
import { joinTreePath } from '../../git/objects/tree-entry-name.js'
import { MODE_TREE, type TreeEntry } from '../../git/objects/tree.js'
import { MAX_FINDINGS } from '../../tasks/analysis/finding.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { MAX_MESSAGE_CHARACTERS, MAX_TREE_PATH_CHARACTERS } from '../../model/limits.js'
import { LONG_DIR } from '../../model/paths/page-path.js'
import { cutToBytes } from '../../model/text-parts.js'
import { COLLECTION_DIR, FORMER_DIR, SIDECAR_DIR, sidecarPathOf } from '../../repository/format/site-format.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { AtSite, Call, Reading, Writing } from '../context/call.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { findSite } from '../context/target.js'
import { checkLinks, type Reported, type Step } from './check-links.js'
import { MetadataCheck } from './check-metadata.js'

const MAX_CHECK_MS = 10_000
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

/** Cuts paths, messages and targets to the length that an answer may hold: a tree or a page can have longer ones. */
function toReported({ path, message, target, ...rest }: Reported): Reported {
  return {
    path: cutToBytes(path, MAX_TREE_PATH_CHARACTERS),
    message: cutToBytes(message, MAX_MESSAGE_CHARACTERS),
    ...(target !== undefined && { target: cutToBytes(target, MAX_MESSAGE_CHARACTERS) }),
    ...rest,
  }
}

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
  yield* checkLinks(call, source)
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
