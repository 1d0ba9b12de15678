// Turns a file into the `data` of an answer, and a path that a client gives into a file.

import type { FileData } from '../../../schemas/files.js'
import type { FileRow } from '../../index/tables/rows.js'
import { MAX_BLOB_BYTES } from '../../model/bytes.js'
import { mediaTypeOf } from '../../model/media-type.js'
import { ServiceError } from '../../model/errors.js'
import { siteUrlOf } from '../../model/hosts/site-url.js'
import { isFilePath, treePathOfFile, treePathOfNewFile, urlPathOfFile } from '../../model/paths/file-path.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import { hasForms, PICTURE_WIDTHS } from '../../model/paths/picture-form.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { AtSite } from '../context/call.js'
import { quoteTag, type Result } from '../context/result.js'
import type { Services } from '../context/services.js'

export function toFileData(
  call: AtSite<'baseUrl' | 'siteDomain' | 'limits'>,
  { treePath, blob, size, updatedAt }: Pick<FileRow, 'treePath' | 'blob' | 'size' | 'updatedAt'>,
): FileData {
  const url = urlPathOfFile(treePath)
  const mediaType = mediaTypeOf(treePath)
  const mayBeSmaller = url !== undefined && hasForms(mediaType) && size <= MAX_BLOB_BYTES
  return {
    path: `/${treePath}`,
    url: url === undefined ? null : siteUrlOf(call, call.site.slug) + url,
    oid: blob,
    size,
    mediaType,
    updatedAt,
    ...(mayBeSmaller && call.limits.pictureCacheBytes > 0 && { widths: [...PICTURE_WIDTHS] }),
  }
}

export function toFileResult(data: FileData): Result<FileData> {
  return { data, etag: quoteTag(data.oid) }
}

/** Returns the tree path of a file to read or remove. Throws `invalid_path`, and `file_not_found` for the service's own files. */
export function parseFilePath(path: string): string {
  const treePath = treePathOfFile(path)
  if (!isFilePath(treePath)) throw fileNotFound(treePath)
  return treePath
}

/** Returns the tree path of a file to write. An existing file may keep a name that no new file may have. Throws `invalid_path`. */
export function parseWritablePath(call: AtSite<'store'>, path: string): string {
  const treePath = treePathOfFile(path)
  const there = call.store.reader.snapshot(call.site).entry(treePath)
  return isFilePath(treePath) && isFile(there?.mode) ? treePath : treePathOfNewFile(path)
}

/** Throws `invalid_path` for the path of a page, unless the bytes are more than a page may have. `size` is undefined while it is unknown. */
export function refusePage({ limits }: Pick<Services, 'limits'>, treePath: string, size: number | undefined): void {
  const page = pagePathOf(treePath)
  if (page === undefined || (size !== undefined && size > limits.maxHtmlBytes)) return
  throw new ServiceError(
    'invalid_path',
    `/${treePath} is the page ${page}: write it with PUT /pages, so that it has an id and versions.`,
  )
}

/** Whether the path, as a client gave it, is that of a file at the site's head. */
export function isFileThere({ store, site }: AtSite<'store'>, path: string): boolean {
  const treePath = path.replace(/^\//, '')
  return isFilePath(treePath) && isFile(store.reader.snapshot(site).entry(treePath)?.mode)
}

/** Returns the oid of the file's bytes at the snapshot's commit. Throws `file_not_found`. */
export function blobAt(snapshot: Snapshot, treePath: string): string {
  const entry = snapshot.entry(treePath)
  if (entry === undefined || !isFile(entry.mode)) throw fileNotFound(treePath)
  return entry.oid
}

export function fileNotFound(treePath: string): ServiceError {
  const page = pagePathOf(treePath)
  const hint = page === undefined ? 'GET /files lists the files of a site.' : `The page ${page} is at GET /pages.`
  return new ServiceError('file_not_found', `There is no file /${treePath} in this site. ${hint}`)
}
