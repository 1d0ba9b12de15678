// Merges what a client made from an earlier version of a record or collection with the newest one, field by field.

import type { MergedWithChange } from '../../../schemas/merging.js'
import { ServiceError, whyStale } from '../../model/errors.js'
import { isOid } from '../../model/ids.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { AtSite, Reading } from '../context/call.js'
import { quoteTag } from '../context/result.js'
import { overlapping } from '../merging/on-conflict.js'

type Fields = Readonly<Record<string, unknown>>

interface SentFields {
  noun: 'record' | 'collection'
  /** The tree path of its file, and the highest size. */
  treePath: string
  maxBytes: number
  /** The newest version, and the commit of its last change. */
  now: { fields: Fields; etag: string; updatedAt: string }
  sent: Fields
  ifMatch: readonly string[]
  /** The fields of the file that a client sends, if it has more. */
  names?: readonly string[]
}

/**
 * Returns the fields to write over the newest version; `mergedWith` is undefined if there was nothing to merge. Throws `merge_conflict`
 * with the fields that both sides changed, and `precondition_failed` if the entity tag names no version of it.
 */
export async function mergeJsonFile(
  call: AtSite<Reading | 'tasks'>,
  { noun, treePath, maxBytes, now, sent, ifMatch, names }: SentFields,
): Promise<{ fields: Fields; mergedWith?: MergedWithChange }> {
  if (ifMatch.includes(now.etag)) return { fields: sent }
  const [tag = '', ...others] = ifMatch
  const file = others.length === 0 ? fileAt(call, treePath, maxBytes, tag) : undefined
  if (file === undefined) throw stale(ifMatch, now.etag)
  const { name: author } = call.store.commits.read(call.site, now.etag).commit.author
  const since = [{ id: now.etag, author, createdAt: now.updatedAt }]
  const versions = { base: file, ours: now.fields, theirs: sent }
  const merged = await call.tasks.run('mergeSentFields', { ...versions, ...(names && { names }) }, call.site)
  if ('fields' in merged) return { fields: merged.fields, mergedWith: since }
  const hunks = `Both sides changed ${merged.clashes.join(', ')} differently.`
  throw overlapping({ noun, path: `/${treePath}`, etag: now.etag, hunks, since })
}

/** Returns the file as a commit of main left it. A commit that main lost is never shown. */
function fileAt({ indexFollower, store, site }: AtSite<Reading>, treePath: string, maxBytes: number, tag: string) {
  if (!isOid(tag)) return undefined
  const position = indexFollower.readBehind(site, (index) => index.commits.positionOf(tag))
  const then = position === undefined ? undefined : store.reader.snapshot(site).commitAt(tag)
  const entry = then?.entry(treePath)
  if (then === undefined || entry === undefined || !isFile(entry.mode)) return undefined
  return then.blobWithin(entry.oid, maxBytes)
}

function stale(ifMatch: readonly string[], etag: string): ServiceError {
  const message = whyStale(
    ifMatch,
    'It has changed since the version in If-Match. Read it again and repeat the change.',
  )
  return new ServiceError('precondition_failed', message, { etag: quoteTag(etag) })
}
