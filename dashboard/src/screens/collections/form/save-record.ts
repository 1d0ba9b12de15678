// Creates and changes records. A change is merged with what others wrote since, field by field.

import { type Collection, dataOf, Refusal, type Site, siteApi, type StoredRecord } from '../../../api/client.js'
import { formatNames } from '../../../format.js'
import type { JsonObject } from '../fields/field.js'

export type Outcome =
  | { is: 'saved'; record: StoredRecord; mergedWith: readonly { author: string }[] }
  | { is: 'conflict'; theirs: StoredRecord; author: string }
  | { is: 'gone' }

export async function createRecord(site: Site, { id }: Collection, data: JsonObject): Promise<StoredRecord> {
  return dataOf(await siteApi(site).POST('/collections/{id}/records', { params: { path: { id } }, body: { data } }))
}

/** `etag` is that of the version which the change began with. */
export async function replaceRecord(
  site: Site,
  { id: recordId, collectionId: id }: StoredRecord,
  { data, etag }: { data: JsonObject; etag: string },
): Promise<Outcome> {
  const path = { id, recordId }
  try {
    const params = { path, query: { onConflict: 'merge' as const }, header: { 'If-Match': etag } }
    const record = dataOf(await siteApi(site).PUT('/collections/{id}/records/{recordId}', { params, body: { data } }))
    return { is: 'saved', record, mergedWith: record.mergedWith ?? [] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error.code === 'record_not_found') return { is: 'gone' }
    if (error.code !== 'merge_conflict' && error.code !== 'precondition_failed') throw error
    return await readTheirs(site, path, error)
  }
}

async function readTheirs(site: Site, path: { id: string; recordId: string }, refusal: Refusal): Promise<Outcome> {
  try {
    const theirs = dataOf(await siteApi(site).GET('/collections/{id}/records/{recordId}', { params: { path } }))
    const { since = [] } = (refusal.details ?? {}) as { since?: { author: string }[] }
    const author = since.length === 0 ? 'Somebody else' : formatNames(since.map((version) => version.author))
    return { is: 'conflict', theirs, author }
  } catch (error) {
    if (error instanceof Refusal && error.code === 'record_not_found') return { is: 'gone' }
    throw error
  }
}

/** The service takes so many changes in one commit. */
const MAX_AT_ONCE = 500

/** Deletes the records, and returns the commits that did. Throws a refusal if one of them was changed since. */
export async function deleteRecords(site: Site, records: readonly StoredRecord[]): Promise<string[]> {
  const commits: string[] = []
  for (let at = 0; at < records.length; at += MAX_AT_ONCE) {
    const operations = records.slice(at, at + MAX_AT_ONCE).map(({ id: recordId, collectionId, etag }) => ({
      op: 'deleteRecord' as const,
      collectionId,
      recordId,
      ifMatch: etag,
    }))
    // Each is one commit, after the one before it.
    // oxlint-disable-next-line no-await-in-loop
    const { commit } = dataOf(await siteApi(site).POST('/batch', { body: { operations } }))
    if (commit !== null) commits.push(commit)
  }
  return commits
}

/** Undoes commits of the site as one. */
export async function undoCommits(site: Site, commits: string[]): Promise<void> {
  dataOf(await siteApi(site).POST('/sites/{id}/undo', { params: { path: { id: site.id } }, body: { commits } }))
}
