// Reads, changes and deletes a collection. A change is merged with what others changed since.

import { type Collection, dataOf, type Site, siteApi } from '../../../api/client.js'
import type { Definition } from './use-schema-editor.js'

/** A collection, and the entity tag of this version. */
export interface TaggedCollection {
  collection: Collection
  etag: string | undefined
}

export async function readCollection(site: Site, id: string, signal: AbortSignal): Promise<TaggedCollection> {
  const answer = await siteApi(site).GET('/collections/{id}', { params: { path: { id } }, signal })
  return { collection: dataOf(answer), etag: answer.response.headers.get('ETag') ?? undefined }
}

export async function replaceCollection(
  site: Site,
  { collection: { id }, etag }: TaggedCollection,
  body: Definition,
): Promise<TaggedCollection> {
  const merge = etag === undefined ? {} : { query: { onConflict: 'merge' as const }, header: { 'If-Match': etag } }
  const answer = await siteApi(site).PUT('/collections/{id}', { params: { path: { id }, ...merge }, body })
  return { collection: dataOf(answer), etag: answer.response.headers.get('ETag') ?? undefined }
}

export async function deleteCollection(site: Site, { collection: { id }, etag }: TaggedCollection): Promise<void> {
  const params = { path: { id }, ...(etag !== undefined && { header: { 'If-Match': etag } }) }
  dataOf(await siteApi(site).DELETE('/collections/{id}', { params }))
}
