// Deploys: create, list, read, delete.

import type { DeployData } from '../../../schemas/deploys.js'
import type { DeletedData } from '../../../schemas/common.js'
import { toSeconds } from '../../model/clock.js'
import { ServiceError } from '../../model/errors.js'
import { isFilePath } from '../../model/paths/file-path.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { Deploy } from '../../repository/uploads/deploy.js'
import type { DeployMode } from '../../repository/uploads/deploy.js'
import type { Call, Changing, Finding, SiteCall } from '../context/call.js'
import { DEFAULT_LIMIT, type ResourceId, type SliceInput } from '../context/input.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { takeSlice } from '../context/slice.js'
import { siteOf } from '../context/target.js'
import { findDeploy, isInView, missingOf, refuseOutside, toDeployData } from './find-deploy.js'
import { type Manifest, parseManifest } from './manifest.js'
import { warningsOf } from './manifest-warnings.js'
import { prepare } from './prepare.js'
import { describeUnchanged } from './publish-deploy.js'

const LIFETIME_SECONDS = 24 * 60 * 60
/** Most open deploys of one workspace. */
const MAX_OPEN = 5
/** Most published deploys that one workspace keeps: for a day, clients may ask for the outcome. */
const MAX_PUBLISHED = 1000
/** Most deploys of one workspace that changed nothing: kept for clients that publish them anyway. */
const MAX_UNCHANGED = 20
/** A deploy that is unused for so long counts as given up, or was only looked at in a dry run. */
const ABANDONED_SECONDS = 60 * 60

interface CreateDeployInput {
  files: Manifest
  mode?: DeployMode
  message?: string
  ifHead?: string
  /** Leaves out what cannot be published, instead of refusing the deploy. */
  skipInvalid?: boolean
  /** Paths that `replace` leaves as they are, and everything below them. */
  keep?: readonly string[]
  /** The folder to which `replace` limits its removals. */
  below?: string
  siteId?: string
}

/**
 * Refuses a bad deploy before anything is uploaded: `invalid_deploy`, `path_conflict`; `too_many_deploys`. An unchanged deploy counts as
 * published at once, and not against the limit of open deploys.
 */
export async function createDeploy(
  asked: Call<Changing | 'deploys' | 'longTasks' | 'newId' | 'uploads'>,
  input: CreateDeployInput,
): Promise<Result<DeployData>> {
  const call = { ...asked, site: siteOf(asked, input.siteId) }
  const { site } = call
  let isUnchanged: boolean | undefined
  const made = await call.idempotency.once<{ id: string }>(
    call,
    // A deploy that has expired, or that was published elsewhere, is made again.
    {
      site,
      input,
      stillHolds: async ({ data }) => {
        const kept = call.deploys.find(data.id)
        return kept !== undefined && kept.request === site.request
      },
    },
    async (_trailer, keep) => {
      const snapshot = call.store.reader.snapshot(site)
      const oidAt = (path: string) => {
        const entry = isFilePath(path) || pagePathOf(path) !== undefined ? snapshot.entry(path) : undefined
        return isFile(entry?.mode) ? entry?.oid : undefined
      }
      const { files, skipped } = await parseManifest(input.files, call.limits, oidAt, input.skipInvalid)
      const createdAt = toSeconds(call.clock())
      const deploy: Deploy = {
        id: call.deploys.marked(call.newId()),
        workspaceId: site.workspaceId,
        siteId: site.id,
        ...(site.request !== undefined && { request: site.request }),
        mode: input.mode ?? 'merge',
        message: input.message ?? null,
        ifHead: input.ifHead ?? null,
        files,
        ...(input.skipInvalid === true && { skipped }),
        ...(input.keep && { keep: input.keep.map((path) => path.replace(/^\//, '')) }),
        ...(input.below !== undefined && { below: input.below.replaceAll(/^\/+|\/+$/g, '') }),
        createdAt,
        expiresAt: createdAt + LIFETIME_SECONDS,
      }
      isUnchanged = await changesNothing(call, deploy)
      const result = { data: { id: deploy.id } }
      // Kept before the deploy is made: if the answer is lost in between, no client would find the deploy again.
      await keep(result)
      forgetOldest(call, deploy.workspaceId, isUnchanged)
      if (!isUnchanged) makeRoom(call, deploy)
      call.uploads.checkSpace(0)
      call.deploys.create(isUnchanged ? { ...deploy, published: { commit: null } } : deploy)
      return { result, committed: false }
    },
  )
  const { data } = await getDeploy(call, made.data)
  const { deploy } = findDeploy(call, data.id)
  isUnchanged ??= deploy.published !== undefined && (await isStillThere(call, deploy))
  const unchanged = isUnchanged ? await describeUnchanged(call, deploy) : undefined
  return { data: { ...data, ...(unchanged && { unchanged }) }, created: true, location: `/deploys/${data.id}` }
}

/** Whether publishing the deploy now would make no commit. Throws `path_not_allowed`, `path_conflict`. */
async function changesNothing(call: SiteCall<Finding | 'deploys' | 'longTasks'>, deploy: Deploy): Promise<boolean> {
  refuseOutside(call, deploy)
  const { commit, built } = await prepare(call, deploy, 'places', call.principal)
  if (built.touched.length > 0 || (deploy.ifHead !== null && deploy.ifHead !== commit)) return false
  return (await missingOf(call, deploy)).length === 0
}

/** Whether the site is still as a published deploy left it. Throws `path_not_allowed`. */
async function isStillThere(call: SiteCall<Finding | 'deploys' | 'longTasks'>, deploy: Deploy): Promise<boolean> {
  return await changesNothing(call, deploy).catch((error: unknown) => {
    // Other content was published in its place since.
    if (error instanceof ServiceError && error.code === 'path_conflict') return false
    throw error
  })
}

/** Lists the workspace's deploys to main that are open, or were published within a day; the newest first. */
export function listDeploys(call: Call<'deploys'>, slice: SliceInput): Result<DeployData[]> {
  const { workspace, site } = call.target
  const deploys = call.deploys
    .list(workspace.id)
    .filter(
      (deploy) =>
        deploy.request === undefined && isInView(call, deploy) && (site === undefined || site.id === deploy.siteId),
    )
  const keyOf = ({ createdAt, id }: Deploy) => `${String(10 ** 11 - createdAt)} ${id}`
  const sorted = deploys.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const { rows, nextCursor } = takeSlice('deploys', sorted, keyOf, {
    cursor: slice.cursor,
    limit: slice.limit ?? DEFAULT_LIMIT,
  })
  return { data: rows.map(toDeployData), nextCursor }
}

/** Returns the deploy with its blobs that are missing now, so that an interrupted upload goes on. */
export async function getDeploy(
  call: Call<Finding | 'deploys' | 'limits'>,
  { id }: ResourceId,
): Promise<Result<DeployData>> {
  const { deploy, site } = findDeploy(call, id)
  const missing = deploy.published === undefined ? await missingOf({ ...call, site }, deploy) : []
  const skipped = deploy.skipped && { skipped: [...deploy.skipped] }
  return { data: { ...toDeployData(deploy), missing, ...skipped, warnings: await warningsOf(deploy, call.limits) } }
}

/** Deletes the deploy with its uploaded blobs. */
export async function deleteDeploy(
  call: Call<'catalog' | 'deploys'>,
  { id }: ResourceId,
): Promise<Result<DeletedData>> {
  const { deploy } = findDeploy(call, id)
  await call.deploys.remove(deploy.id)
  return { data: { id: deploy.id } }
}

/** Drops the oldest published deploys, of those that changed nothing or of the others: each keeps its manifest on the disk. */
function forgetOldest({ deploys }: Pick<Services, 'deploys'>, workspaceId: string, areUnchanged: boolean): void {
  const isMeant = ({ published }: Deploy) => published !== undefined && (published.commit === null) === areUnchanged
  const oldestFirst = deploys
    .list(workspaceId)
    .filter(isMeant)
    .toSorted((a, b) => a.createdAt - b.createdAt)
  const kept = (areUnchanged ? MAX_UNCHANGED : MAX_PUBLISHED) - 1
  for (const { id } of oldestFirst.slice(0, Math.max(0, oldestFirst.length - kept))) deploys.drop(id)
}

/**
 * Drops the open deploy that was unused for the longest time. Throws `too_many_deploys` if all were used lately. Deploys to main and to change
 * requests are counted apart: who may only propose keeps nobody from publishing.
 */
function makeRoom({ deploys, clock }: Pick<Services, 'clock' | 'deploys'>, { workspaceId, request }: Deploy): void {
  const isForMain = request === undefined
  const open = deploys
    .list(workspaceId)
    .filter((deploy) => deploy.published === undefined && (deploy.request === undefined) === isForMain)
  if (open.length < MAX_OPEN) return
  const [oldest] = open.map(({ id }) => id).toSorted((a, b) => deploys.lastUseOf(a) - deploys.lastUseOf(b))
  if (oldest !== undefined && toSeconds(clock()) - deploys.lastUseOf(oldest) > ABANDONED_SECONDS)
    return deploys.drop(oldest)
  throw new ServiceError(
    'too_many_deploys',
    `This workspace has ${MAX_OPEN} open deploys: publish or delete one. A new deploy replaces one that was unused for an hour.`,
    { open: open.map(({ id }) => id) },
  )
}
