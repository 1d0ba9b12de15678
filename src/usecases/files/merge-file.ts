// Merges bytes that a client made from an earlier version of a file with those that are there now.

import { MAX_MERGED_VERSIONS, type MergedWith } from '../../../schemas/merging.js'
import { removePack } from '../../git/streams/pack-stream.js'
import { ServiceError } from '../../model/errors.js'
import { isOid } from '../../model/ids.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { FileOperation, PackToInstall } from '../../repository/protocol/write.js'
import type { AtSite, Reading, SiteCall } from '../context/call.js'
import { mergeBytes } from '../merging/merge-bytes.js'
import { overlapping } from '../merging/on-conflict.js'
import { isInHistory } from './batch-file.js'
import { refusePage } from './file-data.js'
import { refuseWrongLines } from './refuse-wrong-lines.js'
import { staleFile } from './stale-file.js'

interface SentFile {
  treePath: string
  /** Makes the client's bytes, from the blob from which it began. Undefined for bytes that are not in memory: too many to merge. */
  makeBytes: (blob: string) => Buffer | undefined | Promise<Buffer | undefined>
  /** The entity tag of that blob. */
  ifMatch: readonly string[]
  /** Accepts rules with wrong lines. */
  force?: boolean | undefined
}

export interface MergedFile {
  /** Undefined for bytes that are not in memory, and that need no merge. */
  content: Uint8Array | undefined
  /** The bytes that it replaces. */
  ifMatch: readonly string[]
  /** Undefined if there was nothing to merge. */
  mergedWith?: MergedWith
}

/**
 * Returns undefined if there is no such file. Throws `merge_conflict`, and `precondition_failed` if the tag names no bytes that the site
 * has or had; refuses merged bytes as sent ones.
 */
export async function mergeFile(
  call: SiteCall<Reading | 'limits' | 'tasks'>,
  { treePath, makeBytes, ifMatch, force }: SentFile,
): Promise<MergedFile | undefined> {
  const snapshot = call.store.reader.snapshot(call.site)
  const entry = snapshot.entry(treePath)
  if (entry === undefined || !isFile(entry.mode)) return undefined
  const blob = entry.oid
  if (ifMatch.includes(blob)) return { content: await makeBytes(blob), ifMatch: [blob] }
  const [base = '', ...others] = ifMatch
  // Bytes that main lost are never shown.
  if (others.length > 0 || !isOid(base) || !(await isInHistory(call, base)))
    throw await staleFile(call, { treePath, blob, ifMatch })
  const sent = await makeBytes(base)
  const mergedWith = await versionsSince(call, treePath, base)
  const isHtml = treePath.endsWith('.html')
  const size = snapshot.size(blob)
  const merged =
    sent === undefined
      ? { conflict: undefined }
      : await mergeBytes(call, { base, ours: { blob, size }, theirs: sent, isHtml })
  if (!('bytes' in merged) || merged.bytes === undefined)
    throw overlapping({ noun: 'file', path: `/${treePath}`, etag: blob, hunks: merged.conflict, since: mergedWith })
  const content = Buffer.from(merged.bytes)
  refuseLong(call, content.length)
  refusePage(call, treePath, content.length)
  if (force !== true) refuseWrongLines(treePath, content)
  return { content, ifMatch: [blob], mergedWith }
}

type PutFile = Extract<FileOperation, { kind: 'put-file' }>

/** Merges the bytes of a change; the packs of a refused one are removed. Throws as `mergeFile`. */
export async function mergeFileChange(
  call: SiteCall<Reading | 'limits' | 'tasks'>,
  planned: { change: PutFile; packs: PackToInstall[] },
  { ifMatch, force }: Pick<SentFile, 'ifMatch' | 'force'>,
): Promise<{ change: PutFile; packs: PackToInstall[]; mergedWith?: MergedWith }> {
  const { change, packs } = planned
  const makeBytes = () => ('content' in change.blob ? Buffer.from(change.blob.content) : undefined)
  try {
    const merged = await mergeFile(call, { treePath: change.path, makeBytes, ifMatch, force })
    if (merged?.content === undefined) return planned
    const { content, mergedWith } = merged
    const both = { ...change, blob: { content }, ifMatch: merged.ifMatch }
    return { change: both, packs, ...(mergedWith && { mergedWith }) }
  } catch (error) {
    for (const { path } of packs) await removePack(path)
    throw error
  }
}

/** Throws `payload_too_large`. */
export function refuseLong({ limits }: Pick<SiteCall<'limits'>, 'limits'>, size: number): void {
  if (size <= limits.maxFileBytes) return
  throw new ServiceError(
    'payload_too_large',
    `The changed file has ${size} bytes: the limit is ${limits.maxFileBytes}.`,
    { limit: limits.maxFileBytes },
  )
}

/** Lists the versions of the file after the newest one with the blob; all for a blob of another file. */
async function versionsSince(call: AtSite<Reading>, treePath: string, base: string): Promise<MergedWith> {
  const { rows } = await call.indexFollower.read(call.site, (index) =>
    index.files.versions(treePath, { limit: MAX_MERGED_VERSIONS }),
  )
  const at = rows.findIndex(({ blob }) => blob === base)
  return rows.slice(0, at === -1 ? rows.length : at).map(({ commit: id, number, createdAt }) => {
    const { name: author } = call.store.commits.read(call.site, id).commit.author
    return { id, number, author, createdAt }
  })
}
