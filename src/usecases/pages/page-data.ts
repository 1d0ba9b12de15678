// A page as answers show it.

import type { PageData } from '../../../schemas/pages.js'
import type { PageRow } from '../../catalog/index/tables/rows.js'
import type { Site } from '../../catalog/sites.js'
import type { PagePath } from '../../model/paths/page-path.js'
import { quoteTag, type Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { pageUrlOf } from '../../model/hosts/site-url.js'

export function toPageData(services: Services, site: Site, row: PageRow): PageData {
  const { id, path, title, templateId, status, version, size, createdAt, updatedAt } = row
  return {
    id,
    siteId: site.id,
    path,
    url: pageUrlOf(services, site.slug, pathOf(row)),
    title,
    templateId,
    status,
    version: { id: version.commit, number: version.number },
    etag: quoteTag(row.etag),
    size,
    createdAt,
    updatedAt,
  }
}

export function toPageResult(services: Services, site: Site, row: PageRow): Result<PageData> {
  const data = toPageData(services, site, row)
  return { data, etag: data.etag }
}

/** The answer to what made the page: 201, with its place. */
export function asCreated(result: Result<PageData>): Result<PageData> {
  return { ...result, created: true, location: `/pages/${result.data.id}` }
}

/** Rows hold paths that were parsed before they were stored. */
export function pathOf(row: PageRow): PagePath {
  return row.path as PagePath
}
