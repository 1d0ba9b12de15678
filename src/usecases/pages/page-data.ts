// A page as answers show it.

import type { PageRow, PageStatus } from '../../catalog/index/tables/rows.js'
import type { Site } from '../../catalog/sites.js'
import type { PagePath } from '../../model/paths/page-path.js'
import type { DryRunData } from './dry-run.js'
import { quoteTag, type Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { pageUrlOf } from '../../model/hosts/site-url.js'

export interface PageData {
  id: string
  siteId: string
  path: string
  url: string
  title: string | null
  templateId: string | null
  status: PageStatus
  /** `id` is the commit of the version. While a long push is being indexed, `number` may be 0: not counted yet. */
  version: { id: string; number: number }
  /** The oid of the page's last change, in quotes. */
  etag: string
  /** Bytes of the html; 0 while unpublished. */
  size: number
  createdAt: string
  updatedAt: string
  /** Where one page is asked for. */
  html?: string
  /** Which lines `html` holds, counted from 1, where some were asked for. */
  lines?: { from: number; to: number; total: number }
  /** Only ever false: the request asked for what was there already, and made no commit. */
  changed?: false
  /** Nothing was written: the page as it would be. */
  dryRun?: DryRunData
}

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
