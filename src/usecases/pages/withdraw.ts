// Withdraws a version of a page: on every host, only requests with a key can read it. It stays in the history.

import type { VersionData } from '../../../schemas/versions.js'
import type { VersionRow } from '../../index/tables/rows.js'
import { ServiceError } from '../../model/errors.js'
import type { Call, Finding } from '../context/call.js'
import { recordAudit } from '../context/audit.js'
import type { ResourceId } from '../context/input.js'
import type { Result } from '../context/result.js'
import { type FoundPage, findPage } from './find-page.js'
import { findVersion, toVersionData, type VersionName } from './versions.js'

/** Throws `conflict` for a version without html, and for the html that the page shows now. */
export async function withdrawVersion(
  asked: Call<Finding | 'idempotency'>,
  input: ResourceId & { version: VersionName },
): Promise<Result<VersionData>> {
  const page = await findPage(asked, input.id)
  const { site } = page
  const call = { ...asked, site }
  return await call.idempotency.once(call, { site, input }, async () => {
    const version = await findVersion(call, page.row.id, input.version)
    await call.catalog.withdrawals.add({
      siteId: site.id,
      blob: withdrawableBlob(version, page),
      pageId: page.row.id,
      commit: version.commit,
      author: call.principal.label,
    })
    call.catalog.sites.expire(site.slug)
    const details = { site: site.id, version: version.number, commit: version.commit }
    await recordAudit(call, { action: 'version.withdraw', target: `page ${page.row.id}`, details })
    const data = toVersionData(call, version)
    return { result: { data, etag: data.etag }, committed: false }
  })
}

function withdrawableBlob({ blob, number }: VersionRow, { row }: FoundPage): string {
  if (blob === null) {
    throw new ServiceError('conflict', `Version ${number} unpublished the page and has no html to withdraw.`)
  }
  if (blob !== row.blob) return blob
  throw new ServiceError('conflict', 'The page shows this html now: replace or unpublish the page first.')
}
