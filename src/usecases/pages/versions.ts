// The versions of a page: list, read, compare, roll back.

import type { PageData } from '../../../schemas/pages.js'
import type { VersionData, VersionDiffData } from '../../../schemas/versions.js'
import type { ContentQuery } from '../../../schemas/content.js'
import type { VersionRow } from '../../index/tables/rows.js'
import type { Site } from '../../catalog/site.js'
import type { NamedBlob } from '../../tasks/analysis/blob-diff.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_NAMED_VERSIONS, type Operation } from '../../repository/protocol/write.js'
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
import { undoneAfter } from '../context/undone-after.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import { readForm } from './read-form.js'
import { pageAfter, pageAsOf } from './page-as-of.js'
import { quoteTag, type Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { writeSite } from '../context/write-site.js'

interface RollbackInput extends ResourceId, Conditions, DryRunInput {
  version: VersionName
  reason?: string
}

/** A version's number, or the full oid of its commit. */
export type VersionName = number | string

/** Lists the newest first; works for unpublished pages too. */
export async function listVersions(
  services: Services,
  context: RequestContext,
  input: ResourceId & SliceInput,
): Promise<Result<VersionData[]>> {
  const { site, row } = await findPage(services, context, input.id)
  const slice = { cursor: input.cursor, limit: input.limit ?? DEFAULT_LIMIT }
  const { rows, nextCursor } = await services.indexFollower.read(site, (index) => index.versions.list(row.id, slice))
  return { data: rows.map((version) => toVersionData(services, site, version)), nextCursor }
}

export async function getVersion(
  services: Services,
  context: RequestContext,
  input: ResourceId & ContentQuery & { version: VersionName },
): Promise<Result<VersionData>> {
  const { site, row } = await findPage(services, context, input.id)
  const version = await findVersion(services, site, row.id, input.version)
  const data = toVersionData(services, site, version)
  if (version.blob === null) return { data: { ...data, html: null }, etag: data.etag }
  const { fields, long } = await readForm(services, site, version.blob, input)
  return { data: { ...data, ...fields }, etag: data.etag, ...(long && { long }) }
}

/** Compares two versions. `to` is the newest version unless given, `from` the one before `to`. */
export async function diffVersions(
  services: Services,
  context: RequestContext,
  input: ResourceId & { from?: VersionName; to?: VersionName },
): Promise<Result<VersionDiffData>> {
  const { site, row } = await findPage(services, context, input.id)
  const to = await findVersion(services, site, row.id, input.to ?? row.version.number)
  const from = await findEarlier(services, site, to, input.from)
  const diff = await services.tasks.run(
    'diffBlobs',
    { source: services.store.sourceOf(site), before: namedBlob(from), after: namedBlob(to) },
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
export async function rollbackPage(
  services: Services,
  context: RequestContext,
  input: RollbackInput,
): Promise<Result<PageData>> {
  const page = await findPage(services, context, input.id)
  const { site } = page
  if (input.dryRun === true) return await showPage(services, context, site, await toRollback(services, page, input))
  const replay = (facts: { oid: string }) => pageAsOf(services, site, page.row.id, facts.oid)
  return await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, replay) },
    async (idempotency) => {
      const operation = await toRollback(services, page, input)
      const written = await writeSite(services, context, site, operation, { reason: input.reason, idempotency })
      return { result: await pageAfter(services, site, written), committed: written.changed }
    },
  )
}

async function toRollback(services: Services, { site, known }: FoundPage, input: RollbackInput): Promise<Operation> {
  const { commit: version, number, blob } = await findVersion(services, site, known.id, input.version)
  if (blob === null) {
    throw new ServiceError(
      'conflict',
      `Version ${number} unpublished the page and has no html: choose another, or DELETE the page.`,
    )
  }
  if (services.catalog.withdrawals.has(site.id, blob)) {
    throw new ServiceError(
      'conflict',
      `Version ${number} is withdrawn: choose another, or PUT its html to publish it again.`,
    )
  }
  const { rows: newest } = await services.indexFollower.read(site, (index) =>
    index.versions.list(known.id, { limit: MAX_NAMED_VERSIONS }),
  )
  const undone = undoneAfter(number, newest)
  return { kind: 'rollback-page', page: known, version, blob, undone, ...conditionOf(input) }
}

/** Throws `version_not_found`. */
export async function findVersion(
  services: Services,
  site: Site,
  pageId: string,
  name: VersionName,
): Promise<VersionRow> {
  const wanted = /^\d{1,15}$/.test(String(name)) ? Number(name) : String(name).toLowerCase()
  const found = await services.indexFollower.read(site, (index) => index.versions.find(pageId, wanted))
  if (found !== undefined) return found
  throw new ServiceError(
    'version_not_found',
    `The page has no version ${name}: give a number, or the full commit id of one of its versions.`,
  )
}

async function findEarlier(
  services: Services,
  site: Site,
  to: VersionRow,
  name: VersionName | undefined,
): Promise<VersionRow | undefined> {
  if (name !== undefined) return await findVersion(services, site, to.pageId, name)
  return to.number === 1 ? undefined : await findVersion(services, site, to.pageId, to.number - 1)
}

function namedBlob(version: VersionRow | undefined): NamedBlob {
  if (version === undefined) return { name: '/dev/null', oid: null }
  return { name: `${version.path}@${version.number}`, oid: version.blob }
}

function nameOf({ commit, number }: VersionRow): { id: string; number: number } {
  return { id: commit, number }
}

export function toVersionData({ catalog }: Services, site: Site, row: VersionRow): VersionData {
  const { commit: id, number, action, author, message, verified, size, createdAt, blob } = row
  const data = { id, number, action, author, message, verified, size, etag: quoteTag(id), createdAt }
  return blob !== null && catalog.withdrawals.has(site.id, blob) ? { ...data, withdrawn: true } : data
}
