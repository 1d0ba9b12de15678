// Publishes a deploy as one commit, once: a second request gets the first one's answer, also after a crash in between.

import type { PublishedDeployData } from '../../../schemas/deploys.js'
import type { DeployChanges } from '../../tasks/analysis/describe-deploy.js'
import { removePack } from '../../git/streams/pack-stream.js'
import { ServiceError } from '../../model/errors.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { startPageMeantBy } from '../../model/paths/start-page.js'
import { HEADERS_FILE } from '../../model/rules/headers-file.js'
import { REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES } from '../../model/rules/rules-file.js'
import { linesOfTooLong, linesToTell } from '../../model/rules/wrong-lines.js'
import type { SiteDraft } from '../../repository/reading/site-draft.js'
import type { SnapshotSource } from '../../repository/reading/snapshot-source.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { Deploy } from '../../repository/uploads/deploy.js'
import type { AtSite, Call, Changing, Finding, Reading, SiteCall } from '../context/call.js'
import { changeSite, type Plan } from '../context/change-site.js'
import { toFileChanges } from '../context/file-changes.js'
import type { DryRunInput, ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { refuseProtected } from '../protection/refuse-protected.js'
import { findDeployToPublish, missingOf, refuseOutside } from './find-deploy.js'
import { type Warning, warningsOf } from './manifest-warnings.js'
import type { ResolvableView } from '../../repository/resolution/resolution.js'
import { leads, whyNoStart } from '../../repository/resolution/start-pages.js'
import { isBuilt, prepare } from './prepare.js'

/** The most folders without a start page that are named. */
const MAX_STARTS = 50

/** `changeRequest` is the id of a request, or `new`. */
type Input = ResourceId & DryRunInput & { changeRequest?: string }

const NOTHING: DeployChanges = { changed: false, created: 0, replaced: 0, removed: 0, files: [], warnings: [] }

/** Throws `blobs_missing`, `path_conflict`, and `precondition_failed` if `ifHead` is no longer the head. */
export async function publishDeploy(
  asked: Call<Changing | 'deploys' | 'longTasks'>,
  input: Input,
): Promise<Result<PublishedDeployData>> {
  const { deploy } = findDeployToPublish(asked, input)
  refuseOutside(asked, deploy)
  return await asked.deploys.inTurn(deploy.id, () => publishInTurn(asked, input))
}

async function publishInTurn(
  asked: Call<Changing | 'deploys' | 'longTasks'>,
  input: Input,
): Promise<Result<PublishedDeployData>> {
  const { deploy, site } = findDeployToPublish(asked, input)
  const call = { ...asked, site }
  if (input.dryRun === true) return { data: await publishNow(call, deploy, input) }
  const published = await findPublished(call, deploy)
  const data =
    published === undefined
      ? await publishNow(call, deploy, input)
      : await describePublished(call, deploy, published.commit)
  return { data, ...(site.request !== undefined && { changeRequest: site.request }) }
}

async function publishNow(
  call: SiteCall<Changing | 'deploys' | 'longTasks'>,
  deploy: Deploy,
  input: Input,
): Promise<PublishedDeployData> {
  if (input.dryRun !== true) refuseProtected(call)
  await refuseMissing(call, deploy)
  // If the description fails, it may be asked for again, as that of any published deploy.
  const { data: describeChange } = await changeSite<() => Promise<PublishedDeployData>>(call, {
    input,
    plan: () => planDeploy(call, deploy),
    answer: async ({ changed, commit }) => {
      const made = changed ? commit : null
      await call.deploys.publish(deploy.id, made, changed ? call.site.request : undefined)
      return { data: () => describePublished(call, deploy, made) }
    },
    show: (draft) => ({ data: () => describeShown(call, deploy, draft) }),
    release: async ({ packs = [] }, isDone) => {
      if (!isDone) for (const { path } of packs) if (isBuilt(path)) await removePack(path)
    },
    explain: async (error) => explained(call, deploy, error),
  })
  return await describeChange()
}

/** Returns the deploy's commit, null if it changed nothing; undefined if the deploy is not published yet. */
async function findPublished(
  { deploys, indexFollower, store, site }: AtSite<Reading | 'deploys'>,
  { id, request, published }: Deploy,
): Promise<{ commit: string | null } | undefined> {
  if (published !== undefined && request === site.request) return published
  const commit = await indexFollower.read(site, (index) => index.commits.findByDeployId(id))
  if (commit === undefined) return undefined
  // The service stopped between the commit and this record of it.
  await store.writers.settle(site)
  await deploys.publish(id, commit, site.request)
  return { commit }
}

async function planDeploy(call: SiteCall<Reading | 'deploys' | 'longTasks'>, deploy: Deploy): Promise<Plan> {
  const { packs, ...built } = (await prepare(call, deploy, 'trees', call.principal)).built
  const count = deploy.files.length
  const prepared = {
    ...built,
    replaces: deploy.mode === 'replace',
    subject: `Deploy ${count} file${count === 1 ? '' : 's'}`,
  }
  const { id, ifHead, message } = deploy
  return {
    operation: { kind: 'deploy', prepared, ...(ifHead !== null && { ifHead }) },
    packs,
    trailers: [['Deploy-Id', id]],
    reason: message ?? undefined,
  }
}

async function describeShown(
  call: SiteCall<Changing | 'longTasks'>,
  deploy: Deploy,
  draft: SiteDraft,
): Promise<PublishedDeployData> {
  const { store, site } = call
  const { changed } = draft.written
  const sources = { before: store.sourceOf(site, draft.base), after: store.draftSourceOf(site, draft) }
  const described = await describe(call, deploy, draft.snapshot, changed ? sources : undefined)
  const preview = changed ? call.previews.keep(site, draft) : undefined
  return {
    ...described,
    commit: null,
    previewUrl: preview === undefined ? null : `${siteUrlOf(call, preview.label)}/`,
    expiresAt: preview?.expiresAt ?? null,
  }
}

/** Adds the changes since the commit in `ifHead` to the refusal. */
function explained(call: AtSite<'store'>, { ifHead }: Deploy, error: unknown): unknown {
  if (!(error instanceof ServiceError) || error.code !== 'precondition_failed' || ifHead === null) return error
  const { head } = error.details as { head: string }
  return new ServiceError('precondition_failed', error.message, {
    head,
    files: toFileChanges(call.store.commits.changesSince(call.site, ifHead, head)),
  })
}

async function refuseMissing(call: AtSite<Finding | 'deploys'>, deploy: Deploy): Promise<void> {
  const missing = await missingOf(call, deploy)
  if (missing.length === 0) return
  throw new ServiceError(
    'blobs_missing',
    `${missing.length} blob${missing.length === 1 ? ' is' : 's are'} missing: upload them, and publish again.`,
    { missing: missing.slice(0, 1_000) },
  )
}

/** Describes a deploy that the site has completely, as publishing it again would. */
export async function describeUnchanged(
  call: AtSite<'baseUrl' | 'limits' | 'longTasks' | 'siteDomain' | 'store'>,
  deploy: Deploy,
): Promise<PublishedDeployData> {
  return { ...(await describe(call, deploy, call.store.reader.snapshot(call.site), undefined)), commit: null }
}

/** Describes a published deploy from its commit alone, at any later time. */
async function describePublished(
  call: AtSite<'baseUrl' | 'limits' | 'longTasks' | 'siteDomain' | 'store'>,
  deploy: Deploy,
  commit: string | null,
): Promise<PublishedDeployData> {
  const { site, store } = call
  const head = store.reader.snapshot(site)
  const after = (commit !== null && head.commitAt(commit)) || head
  const [, parent] = commit === null ? [] : after.firstParents()
  const before = parent && head.commitAt(parent.oid)
  const sources = before && { before: store.sourceOf(site, before), after: store.sourceOf(site, after) }
  return { ...(await describe(call, deploy, after, sources)), commit }
}

/** Describes the changes between the sources; without sources, nothing was changed. */
async function describe(
  call: AtSite<'baseUrl' | 'limits' | 'longTasks' | 'siteDomain'>,
  deploy: Deploy,
  snapshot: Snapshot,
  sources: { before: SnapshotSource; after: SnapshotSource } | undefined,
): Promise<Omit<PublishedDeployData, 'commit'>> {
  const { site } = call
  const named = deploy.files.map(([path]) => path)
  const { changed, created, replaced, removed, files, warnings } =
    sources === undefined
      ? NOTHING
      : await call.longTasks.run(
          'describeDeploy',
          { ...sources, named, anyEncoding: deploy.skipped !== undefined },
          site,
        )
  return {
    id: deploy.id,
    url: siteUrlOf(call, site.slug),
    changed,
    created,
    replaced,
    unchanged: named.length - created - replaced,
    removed,
    files: toFileChanges(files),
    ...(deploy.skipped && { skipped: [...deploy.skipped] }),
    warnings: withoutRepeats([
      ...(await warningsOf(deploy, call.limits)),
      ...warnings,
      ...rulesWarnings(deploy, snapshot),
      ...startPageWarnings(deploy, { snapshot, origin: siteUrlOf(call, site.slug) }),
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
