// The versions of a page: list, read, compare, roll back.

import type { PageData } from '../../../schemas/pages.js'
import type { VersionData, VersionDiffData } from '../../../schemas/versions.js'
import type { ContentQuery } from '../../../schemas/content.js'
import type { VersionRow } from '../../index/tables/rows.js'
import type { NamedBlob } from '../../tasks/analysis/blob-diff.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_NAMED_VERSIONS, type Operation } from '../../repository/protocol/write.js'
import { signedMaker } from '../../model/commits/commit-maker.js'
import { showPage } from './dry-run.js'
import { type FoundPage, findPage } from './find-page.js'
import {
  conditionOf,
  type Conditions,
  DEFAULT_LIMIT,
  type DryRunInput,
  type ResourceId,
  type SliceInput,
} from '../context/input.js'
import type { AtSite, Call, Changing, Finding } from '../context/call.js'
import { undoneAfter } from '../context/undone-after.js'
import { changeSite } from '../context/change-site.js'
import { readForm } from './read-form.js'
import { pageAfter, pageAsOf } from './page-as-of.js'
import { quoteTag, type Result } from '../context/result.js'

interface RollbackInput extends ResourceId, Conditions, DryRunInput {
  version: VersionName
  reason?: string
}

/** A version's number, or the full oid of its commit. */
export type VersionName = number | string

/** Lists the newest first; works for unpublished pages too. */
export async function listVersions(
  call: Call<Finding>,
  input: ResourceId & SliceInput,
): Promise<Result<VersionData[]>> {
  const { site, row } = await findPage(call, input.id)
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const [{ rows, nextCursor }, origins] = await call.indexFollower.read(site, (index) => {
    const listed = index.versions.list(row.id, slice)
    return [listed, index.commits.origins(listed.rows.map(({ commit }) => commit))] as const
  })
  const data = rows.map((version) => {
    const maker = origins.get(version.commit)?.maker ?? null
    const made = maker === null ? {} : signedMaker(maker, call.store.commits.read(site, version.commit).trailers)
    return { ...toVersionData({ ...call, site }, version), ...made }
  })
  return { data, nextCursor }
}

export async function getVersion(
  asked: Call<Finding | 'forms' | 'limits' | 'tasks'>,
  input: ResourceId & ContentQuery & { version: VersionName },
): Promise<Result<VersionData>> {
  const { site, row } = await findPage(asked, input.id)
  const call = { ...asked, site }
  const version = await findVersion(call, row.id, input.version)
  const data = toVersionData(call, version)
  if (version.blob === null) return { data: { ...data, html: null }, etag: data.etag }
  const { fields, long } = await readForm(call, version.blob, input)
  return { data: { ...data, ...fields }, etag: data.etag, ...(long && { long }) }
}

/** Compares two versions. `to` is the newest version unless given, `from` the one before `to`. */
export async function diffVersions(
  asked: Call<Finding | 'tasks'>,
  input: ResourceId & { from?: VersionName; to?: VersionName },
): Promise<Result<VersionDiffData>> {
  const { site, row } = await findPage(asked, input.id)
  const call = { ...asked, site }
  const to = await findVersion(call, row.id, input.to ?? row.version.number)
  const from = await findEarlier(call, to, input.from)
  const diff = await call.tasks.run(
    'diffBlobs',
    { source: call.store.sourceOf(site), before: namedBlob(from), after: namedBlob(to) },
    site,
  )
  return {
    data: {
      from: from === undefined ? null : nameOf(from),
      to: nameOf(to),
      unified: diff?.unified ?? null,
      hunks: diff?.hunks ?? null,
    },
  }
}

/** Makes a new version with the html of an earlier one. An unpublished page is live again. Throws `conflict` for a version without html. */
export async function rollbackPage(asked: Call<Changing>, input: RollbackInput): Promise<Result<PageData>> {
  const page = await findPage(asked, input.id)
  const call = { ...asked, site: page.site }
  return await changeSite(call, {
    input,
    plan: async () => ({ operation: await toRollback(call, page, input), reason: input.reason }),
    answer: (written) => pageAfter(call, written),
    show: (draft) => showPage(call, draft),
    replay: (facts) => pageAsOf(call, page.row.id, facts.oid),
  })
}

async function toRollback(
  call: AtSite<'catalog' | 'indexFollower'>,
  { known }: FoundPage,
  input: RollbackInput,
): Promise<Operation> {
  const { commit: version, number, blob } = await findVersion(call, known.id, input.version)
  if (blob === null) {
    throw new ServiceError(
      'conflict',
      `Version ${number} unpublished the page and has no html: choose another, or DELETE the page.`,
    )
  }
  if (call.catalog.withdrawals.has(call.site.id, blob)) {
    throw new ServiceError(
      'conflict',
      `Version ${number} is withdrawn: choose another, or PUT its html to publish it again.`,
    )
  }
  const { rows: newest } = await call.indexFollower.read(call.site, (index) =>
    index.versions.list(known.id, { limit: MAX_NAMED_VERSIONS }),
  )
  const undone = undoneAfter(number, newest)
  return { kind: 'rollback-page', page: known, version, blob, undone, ...conditionOf(input) }
}

/** Throws `version_not_found`. */
export async function findVersion(
  call: AtSite<'indexFollower'>,
  pageId: string,
  name: VersionName,
): Promise<VersionRow> {
  const wanted = /^\d{1,15}$/.test(String(name)) ? Number(name) : String(name).toLowerCase()
  const found = await call.indexFollower.read(call.site, (index) => index.versions.find(pageId, wanted))
  if (found !== undefined) return found
  throw new ServiceError(
    'version_not_found',
    `The page has no version ${name}: give a number, or the full commit id of one of its versions.`,
  )
}

async function findEarlier(
  call: AtSite<'indexFollower'>,
  to: VersionRow,
  name: VersionName | undefined,
): Promise<VersionRow | undefined> {
  if (name !== undefined) return await findVersion(call, to.pageId, name)
  return to.number === 1 ? undefined : await findVersion(call, to.pageId, to.number - 1)
}

function namedBlob(version: VersionRow | undefined): NamedBlob {
  if (version === undefined) return { name: '/dev/null', oid: null }
  return { name: `${version.path}@${version.number}`, oid: version.blob }
}

function nameOf({ commit, number }: VersionRow): { id: string; number: number } {
  return { id: commit, number }
}

export function toVersionData({ catalog, site }: AtSite<'catalog'>, row: VersionRow): VersionData {
  const { commit: id, number, action, author, message, verified, size, createdAt, blob } = row
  const data = { id, number, action, author, message, verified, size, etag: quoteTag(id), createdAt }
  return blob !== null && catalog.withdrawals.has(site.id, blob) ? { ...data, withdrawn: true } : data
}
