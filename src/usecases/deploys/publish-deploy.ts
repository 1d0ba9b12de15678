// Publishes a deploy as one commit, once: a second request gets the first one's answer, also after a crash in between.

import type { PublishedDeployData } from '../../../schemas/deploys.js'
import type { Site } from '../../catalog/site.js'
import type { DeployChanges } from '../../tasks/analysis/describe-deploy.js'
import { removePack } from '../../git/streams/pack-stream.js'
import { isStale, ServiceError } from '../../model/errors.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { startPageMeantBy } from '../../model/paths/start-page.js'
import { HEADERS_FILE } from '../../model/rules/headers-file.js'
import { REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES } from '../../model/rules/rules-file.js'
import { linesOfTooLong, linesToTell } from '../../model/rules/wrong-lines.js'
import type { Operation } from '../../repository/protocol/write.js'
import type { SnapshotSource } from '../../repository/reading/snapshot-source.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { Deploy } from '../../repository/uploads/deploy.js'
import { toFileChanges } from '../context/file-changes.js'
import type { DryRunInput, ResourceId } from '../context/input.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { answerable, type CommitNotes, toWrite, writeSite } from '../context/write-site.js'
import { findDeploy, missingOf, refuseOutside } from './find-deploy.js'
import { type Warning, warningsOf } from './manifest-warnings.js'
import type { ResolvableView } from '../../repository/resolution/resolution.js'
import { leads, whyNoStart } from '../../repository/resolution/start-pages.js'
import { isBuilt, prepare } from './prepare.js'

/** Most times to prepare a deploy again because its files changed before its turn. */
const MAX_TRIES = 5

/** The most folders without a start page that are named. */
const MAX_STARTS = 50

const NOTHING: DeployChanges = { changed: false, created: 0, replaced: 0, removed: 0, files: [], warnings: [] }

/** Throws `blobs_missing`, `path_conflict`, and `precondition_failed` if `ifHead` is no longer the head. */
export async function publishDeploy(
  services: Services,
  context: RequestContext,
  input: ResourceId & DryRunInput,
): Promise<Result<PublishedDeployData>> {
  const { deploy, site } = findDeploy(services, context, input.id)
  refuseOutside(context, deploy)
  const work = input.dryRun === true ? show : publish
  return { data: await services.deploys.inTurn(deploy.id, () => work(services, context, site, deploy.id)) }
}

async function publish(
  services: Services,
  context: RequestContext,
  site: Site,
  id: string,
): Promise<PublishedDeployData> {
  const { deploy } = findDeploy(services, context, id)
  const known =
    deploy.published?.commit ?? (await services.indexFollower.read(site, (index) => index.commits.findByDeployId(id)))
  if (known !== undefined || deploy.published !== undefined) {
    if (deploy.published === undefined) {
      await services.store.settle(site)
      await services.deploys.publish(id, known ?? null)
    }
    return describePublished(services, site, deploy, known ?? null)
  }
  await refuseMissing(services, site, deploy)
  const written = await retrying(services, context, site, deploy, (operation, notes) =>
    writeSite(services, context, site, operation, notes),
  )
  const commit = written.changed ? written.commit : null
  await answerable(written, () => services.deploys.publish(id, commit))
  // If the description fails, it may be asked for again, as that of any published deploy.
  return await describePublished(services, site, deploy, commit)
}

async function show(services: Services, context: RequestContext, site: Site, id: string): Promise<PublishedDeployData> {
  const { deploy } = findDeploy(services, context, id)
  await refuseMissing(services, site, deploy)
  const { store } = services
  const draft = await retrying(services, context, site, deploy, (operation, notes) =>
    store.draft(site, toWrite(services, context, operation, notes)),
  )
  const { changed } = draft.written
  const sources = { before: store.sourceOf(site, draft.base), after: store.draftSourceOf(site, draft) }
  const described = await describe(services, site, deploy, draft.snapshot, changed ? sources : undefined)
  const preview = changed ? services.previews.keep(site, draft) : undefined
  return {
    ...described,
    commit: null,
    previewUrl: preview === undefined ? null : `${siteUrlOf(services, preview.label)}/`,
    expiresAt: preview?.expiresAt ?? null,
  }
}

async function retrying<T>(
  services: Services,
  { principal }: RequestContext,
  site: Site,
  deploy: Deploy,
  write: (operation: Operation, notes: CommitNotes) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    const { packs, ...built } = (await prepare(services, site, deploy, 'trees', principal)).built
    const count = deploy.files.length
    const operation: Operation = {
      kind: 'deploy',
      prepared: {
        ...built,
        replaces: deploy.mode === 'replace',
        subject: `Deploy ${count} file${count === 1 ? '' : 's'}`,
      },
      ...(deploy.ifHead !== null && { ifHead: deploy.ifHead }),
    }
    try {
      return await write(operation, { packs, deployId: deploy.id, reason: deploy.message ?? undefined })
    } catch (error) {
      for (const { path } of packs) if (isBuilt(path)) await removePack(path)
      if (tries === MAX_TRIES || !isStale(error)) throw explained(services, site, deploy, error)
    }
  }
}

/** Adds the changes since the commit in `ifHead` to the refusal. */
function explained(services: Services, site: Site, { ifHead }: Deploy, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'precondition_failed' || ifHead === null) return error
  const { head } = error.details as { head: string }
  return new ServiceError('precondition_failed', error.message, {
    head,
    files: toFileChanges(services.store.commits.changesSince(site, ifHead, head)),
  })
}

async function refuseMissing(services: Services, site: Site, deploy: Deploy): Promise<void> {
  const missing = await missingOf(services, site, deploy)
  if (missing.length === 0) return
  throw new ServiceError(
    'blobs_missing',
    `${missing.length} blob${missing.length === 1 ? ' is' : 's are'} missing: upload them, and publish again.`,
    { missing: missing.slice(0, 1_000) },
  )
}

/** Describes a deploy that the site has completely, as publishing it again would. */
export async function describeUnchanged(services: Services, site: Site, deploy: Deploy): Promise<PublishedDeployData> {
  return { ...(await describe(services, site, deploy, services.store.snapshot(site), undefined)), commit: null }
}

/** Describes a published deploy from its commit alone, at any later time. */
async function describePublished(
  services: Services,
  site: Site,
  deploy: Deploy,
  commit: string | null,
): Promise<PublishedDeployData> {
  const { store } = services
  const head = store.snapshot(site)
  const after = (commit !== null && head.commitAt(commit)) || head
  const [, parent] = commit === null ? [] : after.firstParents()
  const before = parent && head.commitAt(parent.oid)
  const sources = before && { before: store.sourceOf(site, before), after: store.sourceOf(site, after) }
  return { ...(await describe(services, site, deploy, after, sources)), commit }
}

/** Describes the changes between the sources; without sources, nothing was changed. */
async function describe(
  services: Services,
  site: Site,
  deploy: Deploy,
  snapshot: Snapshot,
  sources: { before: SnapshotSource; after: SnapshotSource } | undefined,
): Promise<Omit<PublishedDeployData, 'commit'>> {
  const named = deploy.files.map(([path]) => path)
  const { changed, created, replaced, removed, files, warnings } =
    sources === undefined
      ? NOTHING
      : await services.longTasks.run(
          'describeDeploy',
          { ...sources, named, anyEncoding: deploy.skipped !== undefined },
          site,
        )
  return {
    id: deploy.id,
    url: siteUrlOf(services, site.slug),
    changed,
    created,
    replaced,
    unchanged: named.length - created - replaced,
    removed,
    files: toFileChanges(files),
    ...(deploy.skipped && { skipped: [...deploy.skipped] }),
    warnings: withoutRepeats([
      ...(await warningsOf(deploy, services.limits)),
      ...warnings,
      ...rulesWarnings(deploy, snapshot),
      ...startPageWarnings(deploy, { snapshot, origin: siteUrlOf(services, site.slug) }),
    ]),
  }
}

/** Keeps one warning for each file, and one for each line of the rules files. */
function withoutRepeats(warnings: readonly Warning[]): Warning[] {
  return [
    ...new Map(warnings.toReversed().map((warning) => [`${warning.path}:${warning.line}`, warning])).values(),
  ].toReversed()
}

function rulesWarnings({ files }: Deploy, snapshot: Snapshot): Warning[] {
  return files
    .filter(([path]) => path === REDIRECTS_FILE || path === HEADERS_FILE)
    .flatMap(([path, oid, size]) => {
      const isTooLong = size > MAX_RULES_FILE_BYTES
      const { wrong, warnings } = isTooLong ? linesOfTooLong(size) : linesToTell(path, snapshot.blob(oid))
      return [...wrong, ...warnings].map(({ line, message }) => ({ path, line, message }))
    })
}

/** Names files that are meant as start pages; for the site itself, also says if there is none. */
function startPageWarnings({ files }: Deploy, view: ResolvableView): Warning[] {
  const meant = files.filter(([path]) => startPageMeantBy(path) !== undefined).slice(0, MAX_STARTS)
  const warnings = meant.flatMap(([path]) => {
    const message = whyNoStart(view, path)
    return message === undefined ? [] : [{ path, message }]
  })
  const isOfRoot = ({ path }: { path: string }) => !path.includes('/')
  // A deploy of folders alone leaves the site's start page to others.
  if (warnings.some(isOfRoot) || !files.some(([path]) => isOfRoot({ path })) || leads(view, '/')) return warnings
  return [...warnings, { path: 'index.html', message: '/ is 404: the site has no start page. Add index.html.' }]
}
