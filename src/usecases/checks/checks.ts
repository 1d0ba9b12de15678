// The health of a site: everything in its tree that is skipped or hidden, and why. Reads the whole tree in small steps,
// between which the thread serves others, and stops after 10 s or 500 findings.

import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { ChecksData } from '../../../schemas/sites.js'
import type { Site } from '../../catalog/sites.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { sidecarPathOf } from '../../store/format/site-format.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import { checkNames, walkFolders } from './check-names.js'
import { MetadataCheck } from './check-metadata.js'
import { checkLinks } from './check-links.js'
import { checkRules } from './check-rules.js'
import type { Finding } from './finding.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { findSite } from '../context/target.js'

const MAX_FINDINGS = 500
const MAX_CHECK_MS = 10_000
/** How long a check runs before the thread serves others. */
const STEP_MS = 20

export async function checkSite(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<ChecksData>> {
  const site = findSite(services, context, input.id)
  const { commit } = services.store.snapshot(site)
  const findings: Finding[] = []
  const end = performance.now() + MAX_CHECK_MS
  let complete = true
  for await (const finding of checkAll(services, site)) {
    if (findings.length === MAX_FINDINGS || performance.now() > end) {
      complete = false
      break
    }
    if (finding !== undefined) findings.push(finding)
  }
  const checkedAt = toTimestamp(toSeconds(services.clock()))
  return { data: { siteId: site.id, commit, complete, findings, checkedAt } }
}

/** Damage of the repository first, then files that are not served as intended, then broken links. */
async function* checkAll(services: Services, site: Site): AsyncGenerator<Finding | undefined> {
  for (const { siteId, subject, what, remedy } of services.store.troubles.list()) {
    if (siteId === site.id) yield { code: 'damaged_repository', path: subject, message: `${what} ${remedy}` }
  }
  yield* findTroubles(services, site)
  let turn = performance.now() + STEP_MS
  for (const finding of checkLinks(services.store.snapshot(site))) {
    yield finding
    if (performance.now() < turn) continue
    await yieldToOthers()
    turn = performance.now() + STEP_MS
  }
}

/** Every finding, and undefined in between, so that the caller can stop a long check. */
export async function* findTroubles(services: Services, site: Site): AsyncGenerator<Finding | undefined> {
  const snapshot = services.store.snapshot(site)
  const metadata = new MetadataCheck(snapshot, services.validator, site.workspaceId)
  let turn = performance.now() + STEP_MS
  for await (const finding of checkTree(snapshot, metadata)) {
    yield finding
    if (performance.now() < turn) continue
    await yieldToOthers()
    turn = performance.now() + STEP_MS
  }
  const inert = await services.indexFollower.read(site, (index) => index.pages.inertSidecars(site.id))
  for (const { pageId, path, winnerId } of inert) {
    const message = `The page ${path} has the id ${winnerId}, the lower one of two sidecars: remove this one.`
    yield { code: 'duplicate_sidecar', path: sidecarPathOf(pageId), message }
  }
}

async function* checkTree(snapshot: Snapshot, metadata: MetadataCheck): AsyncGenerator<Finding | undefined> {
  yield* checkRules(snapshot)
  for (const folder of walkFolders(snapshot)) {
    yield* checkNames(snapshot, folder)
    yield* metadata.checkFolder(folder)
  }
  yield* metadata.finish()
}
