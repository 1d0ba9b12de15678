// One operation of a batch: makes the change for the site's writer, and the fields of its item in the answer.

import type { BatchItemData, BatchOperation } from '../../../schemas/batch.js'
import { pageUrlOf, siteUrlOf } from '../../model/hosts/site-url.js'
import { urlPathOfFile } from '../../model/paths/file-path.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import type { PackToInstall } from '../../repository/protocol/write.js'
import type { Changing, SiteCall } from '../context/call.js'
import { deleteFileChange, putFileChange } from '../files/batch-file.js'
import { mergeFileChange } from '../files/merge-file.js'
import { type BatchChange, conditionsOf, tagsOf } from './batch-change.js'
import { pageChange, publishChange } from './page-changes.js'
import { recordChange } from './record-change.js'

type OnFile = Extract<BatchOperation, { op: 'putFile' | 'deleteFile' }>

export interface PreparedItem {
  change: BatchChange
  shown: Pick<BatchItemData, 'op' | 'path' | 'url' | 'collectionId' | 'mergedWith'>
  /** Packs of the change's objects that do not pass the writer; the caller removes them after the change. */
  packs?: readonly PackToInstall[]
}

export interface Preparation {
  /** The id of a new record. */
  newId: string
  /** Bytes that the batch may still edit. */
  room: { bytes: number }
  /** Default for operations that do not set it. */
  asPage: boolean | undefined
  /** False if files are replaced only under a condition. */
  overwrite: boolean | undefined
  /** Whether an operation with a stale entity tag is merged with what was written since. */
  isMerged: boolean
}

/** Looks up the operation's page or collection and checks its content. Throws `too_costly` if the room for edited pages is used up. */
export async function prepareItem(
  call: SiteCall<Changing | 'admission' | 'deploys' | 'newId' | 'privateRemotes' | 'uploads'>,
  operation: BatchOperation,
  preparation: Preparation,
): Promise<PreparedItem> {
  const { newId, room, asPage, isMerged } = preparation
  const tags = isMerged ? tagsOf(operation) : undefined
  if ('collectionId' in operation) {
    const { change, mergedWith } = await recordChange(call, operation, newId, tags)
    return { change, shown: { op: operation.op, collectionId: change.collectionId, ...(mergedWith && { mergedWith }) } }
  }
  if (operation.op === 'putFile' || operation.op === 'deleteFile')
    return await fileItem(call, operation, preparation, tags)
  const { change, mergedWith } = !('id' in operation)
    ? await publishChange(call, { asPage, ...operation }, tags)
    : await pageChange(call, operation, room, tags)
  const path = 'path' in change ? change.path : change.page.path
  const shown = { op: operation.op, path, url: pageUrlOf(call, call.site.slug, path) }
  return { change, shown: { ...shown, ...(mergedWith && { mergedWith }) } }
}

/** Returns the pages or the record that the change writes to: no two changes of a batch may share one. */
export function keysOf(change: BatchChange): string[] {
  if ('recordId' in change) return [`${change.collectionId}/${change.recordId}`]
  if (change.kind === 'move-page') return [...new Set([change.page.path, change.path])]
  // A page can be put as a file too.
  return ['path' in change ? (pagePathOf(change.path) ?? change.path) : change.page.path]
}

async function fileItem(
  call: SiteCall<Changing | 'admission' | 'deploys' | 'privateRemotes' | 'uploads'>,
  operation: OnFile,
  { overwrite }: Pick<Preparation, 'overwrite'>,
  tags: readonly string[] | undefined,
): Promise<PreparedItem> {
  const condition = conditionsOf(operation)
  const { change, packs, mergedWith } =
    operation.op === 'putFile'
      ? await putMerged(call, { overwrite, ...operation }, tags)
      : { change: deleteFileChange(operation.path, condition), packs: [] }
  const url = urlPathOfFile(change.path)
  const shown = {
    op: operation.op,
    path: `/${change.path}`,
    ...(url && { url: siteUrlOf(call, call.site.slug) + url }),
    ...(mergedWith && { mergedWith }),
  }
  return { change, shown, packs }
}

async function putMerged(
  call: SiteCall<Changing | 'admission' | 'deploys' | 'privateRemotes' | 'uploads'>,
  operation: Extract<OnFile, { op: 'putFile' }> & { overwrite: boolean | undefined },
  tags: readonly string[] | undefined,
): Promise<Awaited<ReturnType<typeof mergeFileChange>>> {
  const planned = await putFileChange(call, operation, conditionsOf(operation))
  if (tags === undefined) return planned
  return await mergeFileChange(call, planned, { ifMatch: tags, force: operation.force })
}
