// Reads a file as text: the whole, a part, or the matches of a search; as it is now, or as in one of its versions.

import type { FileTextData, FileTextQuery } from '../../../schemas/files.js'
import type { Site } from '../../catalog/site.js'
import { partOf } from '../../model/text-parts.js'
import { textOfFile } from '../../texts/file-text.js'
import type { RequestContext } from '../context/request-context.js'
import { type LongField, quoteTag, type Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { siteOf } from '../context/target.js'
import { MAX_SHORT_BYTES, refuseBoth } from '../pages/read-form.js'
import { fileNotFound, parseFilePath, toFileData } from './file-data.js'
import { deletedVersion, findFileVersion } from './file-versions.js'

/** Throws `file_not_found`, `version_not_found`, `not_text`, `invalid_query`, `too_costly`. */
export async function getFileText(
  services: Services,
  context: RequestContext,
  { path, version: name, ...query }: FileTextQuery,
): Promise<Result<FileTextData>> {
  const site = siteOf(services, context)
  const treePath = parseFilePath(path)
  const { version, ...row } = await findBytes(services, site, treePath, name)
  const { long, ...fields } = await readText(services, site, row.blob, query)
  const data = { ...toFileData(services, site, row), ...(version && { version }), ...fields }
  return { data, etag: quoteTag(row.blob), ...(long && { long }) }
}

/** Finds the newest bytes of the file, or those of a version. */
async function findBytes(services: Services, site: Site, treePath: string, name: string | undefined) {
  if (name === undefined) {
    const row = await services.indexFollower.read(site, (index) => index.files.find(treePath))
    if (row === undefined) throw fileNotFound(treePath)
    const { blob, size, updatedAt } = row
    return { treePath, blob, size, updatedAt }
  }
  const { blob, size, createdAt, commit: id, number } = await findFileVersion(services, site, treePath, name)
  if (blob === null) throw deletedVersion(number)
  return { treePath, blob, size, updatedAt: createdAt, version: { id, number } }
}

interface ReadText extends Pick<FileTextData, 'content' | 'matches' | 'lines' | 'characters'> {
  long?: LongField
}

/** Reads the text. A task reads long texts and does all searches. */
async function readText(
  services: Services,
  site: Site,
  blob: string,
  { find, pattern, lines, chars }: Omit<FileTextQuery, 'path' | 'version'>,
): Promise<ReadText> {
  refuseBoth({ lines, chars, find, pattern })
  const snapshot = services.store.snapshot(site)
  const isSearched = (find ?? pattern) !== undefined
  const isPart = (lines ?? chars) !== undefined
  if (!isSearched && snapshot.size(blob) <= MAX_SHORT_BYTES) {
    const { text, ...ranges } = partOf(textOfFile(snapshot.blob(blob)), { lines, chars })
    return { content: text, ...(isPart && ranges) }
  }
  const input = {
    source: services.store.sourceOf(site, snapshot),
    blob,
    maxBytes: services.limits.maxHtmlBytes,
    wishes: { as: 'html', find, pattern } as const,
    part: { lines, chars },
  }
  const { json, found: _found, matches, ...ranges } = await services.tasks.run('readFile', input, site)
  if (matches !== undefined) return { matches }
  return { ...(isPart && ranges), long: { name: 'content', json: Buffer.from(json) } }
}
