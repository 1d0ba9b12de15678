// Turns a page's row into the `data` of an answer.

import type { PageData } from '../../../schemas/pages.js'
import type { PageRow } from '../../index/tables/rows.js'
import type { PagePath } from '../../model/paths/page-path.js'
import type { AtSite } from '../context/call.js'
import { quoteTag, type Result } from '../context/result.js'
import { pageUrlOf } from '../../model/hosts/site-url.js'

export function toPageData(call: AtSite<'baseUrl' | 'siteDomain'>, row: PageRow): PageData {
  const { site } = call
  const { id, path, title, titleIsSet, templateId, status, version, size, createdAt, updatedAt } = row
  return {
    id,
    siteId: site.id,
    path,
    url: pageUrlOf(call, site.slug, pathOf(row)),
    title,
    titleIsSet,
    templateId,
    status,
    version: { id: version.commit, number: version.number },
    etag: quoteTag(row.etag),
    size,
    createdAt,
    updatedAt,
  }
}

export function toPageResult(call: AtSite<'baseUrl' | 'siteDomain'>, row: PageRow): Result<PageData> {
  const data = toPageData(call, row)
  return { data, etag: data.etag }
}

/** Marks the answer to a request that made the page: 201 and `Location`. */
export function asCreated(result: Result<PageData>): Result<PageData> {
  return { ...result, created: true, location: `/pages/${result.data.id}` }
}

/** Returns the row's path without parsing it: paths are parsed before they are stored. */
export function pathOf(row: PageRow): PagePath {
  return row.path as PagePath
}
