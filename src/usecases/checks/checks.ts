// The health of a site: everything in its tree that is skipped or hidden, and why. What reads whole trees and pages is done by
// tasks; sidecars, collections and records are read here, in small steps. Stops after 10 s or 500 findings.

import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { ChecksData } from '../../../schemas/sites.js'
import { walkFolders } from '../../analysis/check-names.js'
import { type BrokenLink, joinBroken, type LinksChecked } from '../../analysis/check-links.js'
import { MAX_FINDINGS } from '../../analysis/finding.js'
import type { Site } from '../../catalog/sites.js'
import { toSeconds, toTimestamp } from '../../model/clock.js'
import { LONG_DIR } from '../../model/paths/page-path.js'
import { COLLECTION_DIR, SIDECAR_DIR, sidecarPathOf } from '../../store/format/site-format.js'
import type { Snapshot } from '../../store/reading/snapshot.js'
import type { SnapshotSource } from '../../store/reading/snapshot-source.js'
import type { ResourceId } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { findSite } from '../context/target.js'
import { MetadataCheck } from './check-metadata.js'

const MAX_CHECK_MS = 10_000
/** How long a check runs before the thread serves others. */
const STEP_MS = 20

export async function checkSite(
  services: Services,
  context: RequestContext,
  input: ResourceId,
): Promise<Result<ChecksData>> {
  const site = findSite(services, context, input.id)
  const snapshot = services.store.snapshot(site)
  const findings: Reported[] = []
  const end = performance.now() + MAX_CHECK_MS
  let complete = true
  for await (const finding of checkAll(services, site, snapshot)) {
    if (finding === 'unchecked') complete = false
    else if (finding !== undefined) findings.push(finding)
    if (findings.length > MAX_FINDINGS || performance.now() > end) {
      complete = false
      break
    }
  }
  const checkedAt = toTimestamp(toSeconds(services.clock()))
  const { commit } = snapshot
  return { data: { siteId: site.id, commit, complete, findings: findings.slice(0, MAX_FINDINGS), checkedAt } }
}

/** A broken link has its target and the pages that link to it. */
type Reported = ChecksData['findings'][number]

/** A finding; `unchecked` where something was left out; undefined in between, so that the caller can stop a long check. */
type Step = Reported | 'unchecked' | undefined

/** Damage of the repository first, then files that are not served as intended, then broken links. */
async function* checkAll(services: Services, site: Site, snapshot: Snapshot): AsyncGenerator<Step> {
  for (const { siteId, subject, what, remedy } of services.store.troubles.list()) {
    if (siteId === site.id) yield { code: 'damaged_repository', path: subject, message: `${what} ${remedy}` }
  }
  const source = services.store.sourceOf(site, snapshot)
  const { findings, isComplete } = await services.tasks.run('checkTree', source, site)
  yield* findings
  if (!isComplete) yield 'unchecked'
  yield* inSteps(checkMetadata(new MetadataCheck(snapshot, services.tasks, site.workspaceId), snapshot))
  const inert = await services.indexFollower.read(site, (index) => index.pages.inertSidecars(site.id))
  for (const { pageId, path, winnerId } of inert) {
    const message = `The page ${path} has the id ${winnerId}, the lower one of two sidecars: remove this one.`
    yield { code: 'duplicate_sidecar', path: sidecarPathOf(pageId), message }
  }
  yield* checkAllLinks(services, site, source)
}

/** One finding for each target, once all pages are read. */
async function* checkAllLinks(services: Services, site: Site, source: SnapshotSource): AsyncGenerator<Step> {
  const broken = new Map<string, BrokenLink>()
  for (let from: number | null = 0; from !== null && broken.size <= MAX_FINDINGS; ) {
    const links: LinksChecked = await services.tasks.run('checkLinks', { source, from }, site)
    yield* links.findings
    for (const link of links.broken) joinBroken(broken, link)
    yield links.isComplete ? undefined : 'unchecked'
    from = links.next
  }
  for (const { target, count, pages } of broken.values()) {
    const found = await services.indexFollower.read(site, (index) =>
      pages.flatMap(({ path, line }) => {
        const id = index.pages.findByPath(site.id, path)?.id
        return id === undefined ? [] : [{ id, path, line }]
      }),
    )
    const message = `The link to ${target} leads nowhere.`
    yield { code: 'broken_link', path: pages[0]?.file ?? '', message, target, count, pages: found }
  }
}

/** Sidecars, collections and records lie in the root and in three folders. */
async function* checkMetadata(metadata: MetadataCheck, snapshot: Snapshot): AsyncGenerator<Step> {
  yield* metadata.checkFolder({ path: '', entries: snapshot.list('') })
  for (const top of [LONG_DIR, SIDECAR_DIR, COLLECTION_DIR]) {
    for (const folder of walkFolders(snapshot, top)) yield* metadata.checkFolder(folder)
  }
  yield* metadata.finish()
}

async function* inSteps(steps: AsyncGenerator<Step>): AsyncGenerator<Step> {
  let turn = performance.now() + STEP_MS
  for await (const step of steps) {
    yield step
    if (performance.now() < turn) continue
    await yieldToOthers()
    turn = performance.now() + STEP_MS
  }
}
