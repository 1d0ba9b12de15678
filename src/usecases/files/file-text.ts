// Reads a file as text: the whole, a part, or the matches of a search. Each of its versions can be read so.

import type { FileTextData, FileTextQuery } from '../../../schemas/files.js'
import { partOf } from '../../model/text-parts.js'
import { textOfFile } from '../../texts/file-text.js'
import type { AtSite, Call, Changing } from '../context/call.js'
import { type LongField, quoteTag, type Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { MAX_SHORT_BYTES, refuseBoth } from '../pages/read-form.js'
import { fileNotFound, parseFilePath, toFileData } from './file-data.js'
import { deletedVersion, findFileVersion } from './file-versions.js'

/** Throws `file_not_found`, `version_not_found`, `not_text`, `invalid_query`, `too_costly`. */
export async function getFileText(
  asked: Call<Changing>,
  { path, version: name, ...query }: FileTextQuery,
): Promise<Result<FileTextData>> {
  const call = { ...asked, site: siteOf(asked) }
  const treePath = parseFilePath(path)
  const { version, ...row } = await findBytes(call, treePath, name)
  const { long, ...fields } = await readText(call, row.blob, query)
  const data = { ...toFileData(call, row), ...(version && { version }), ...fields }
  return { data, etag: quoteTag(row.blob), ...(long && { long }) }
}

/** Finds the newest bytes of the file, or those of a version. */
async function findBytes(call: AtSite<'indexFollower'>, treePath: string, name: string | undefined) {
  if (name === undefined) {
    const row = await call.indexFollower.read(call.site, (index) => index.files.find(treePath))
    if (row === undefined) throw fileNotFound(treePath)
    const { blob, size, updatedAt } = row
    return { treePath, blob, size, updatedAt }
  }
  const { blob, size, createdAt, commit: id, number } = await findFileVersion(call, treePath, name)
  if (blob === null) throw deletedVersion(number)
  return { treePath, blob, size, updatedAt: createdAt, version: { id, number } }
}

interface ReadText extends Pick<FileTextData, 'content' | 'matches' | 'lines' | 'characters'> {
  long?: LongField
}

/** Reads the text. A task reads long texts and does all searches. */
async function readText(
  call: AtSite<'limits' | 'store' | 'tasks'>,
  blob: string,
  { find, pattern, lines, chars }: Omit<FileTextQuery, 'path' | 'version'>,
): Promise<ReadText> {
  const { site } = call
  refuseBoth({ lines, chars, find, pattern })
  const snapshot = call.store.reader.snapshot(site)
  const isSearched = (find ?? pattern) !== undefined
  const isPart = (lines ?? chars) !== undefined
  if (!isSearched && snapshot.size(blob) <= MAX_SHORT_BYTES) {
    const { text, ...ranges } = partOf(textOfFile(snapshot.blob(blob)), { lines, chars })
    return { content: text, ...(isPart && ranges) }
  }
  const input = {
    source: call.store.sourceOf(site, snapshot),
    blob,
    maxBytes: call.limits.maxHtmlBytes,
    wishes: { as: 'html', find, pattern } as const,
    part: { lines, chars },
  }
  const { json, found: _found, matches, ...ranges } = await call.tasks.run('readFile', input, site)
  if (matches !== undefined) return { matches }
  return { ...(isPart && ranges), long: { name: 'content', json: Buffer.from(json) } }
}
