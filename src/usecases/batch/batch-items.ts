// One operation of a batch: makes the change for the site's writer, and the fields of its item in the answer.

import { ServiceError } from '../../model/errors.js'
import type { Site } from '../../catalog/site.js'
import type { BatchItemData, BatchOperation } from '../../../schemas/batch.js'
import { deleteFileChange, putFileChange } from '../files/batch-file.js'
import type { Change, PackToInstall } from '../../repository/protocol/write.js'
import { editedHtml } from '../pages/edit-content.js'
import { findNamedCollection, findNamedPage } from './named-targets.js'
import { toHtmlBytes } from '../templates/page-html.js'
import { toPublishOperation } from '../pages/publish.js'
import { checkRecord } from '../records/put-checked-record.js'
import { findRecord } from '../records/records.js'
import { conditionOf, type Conditions } from '../context/input.js'
import type { Services } from '../context/services.js'
import { pageUrlOf, siteUrlOf } from '../../model/hosts/site-url.js'
import { urlPathOfFile } from '../../model/paths/file-path.js'
import { pagePathOf } from '../../model/paths/page-path.js'
import type { RequestContext } from '../context/request-context.js'

type OnPage = Extract<BatchOperation, { op: 'replacePage' | 'editContent' | 'retitlePage' | 'unpublishPage' }>
type OnRecord = Extract<BatchOperation, { collectionId: string }>

type OnNewPage = Extract<BatchOperation, { op: 'createPage' | 'putPage' }>
type OnFile = Extract<BatchOperation, { op: 'putFile' | 'deleteFile' }>

type BatchChange = Exclude<Change, { kind: 'put-collection' | 'delete-collection' | 'move-file' | 'rollback-file' }>

export interface PreparedItem {
  change: BatchChange
  shown: Pick<BatchItemData, 'op' | 'path' | 'url' | 'collectionId'>
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
}

/** Looks up the operation's page or collection and checks its content. Throws `too_costly` if the room for edited pages is used up. */
export async function prepareItem(
  services: Services,
  context: RequestContext,
  site: Site,
  operation: BatchOperation,
  { newId, room, asPage, overwrite }: Preparation,
): Promise<PreparedItem> {
  if ('collectionId' in operation) {
    const change = await recordChange(services, context, site, operation, newId)
    return { change, shown: { op: operation.op, collectionId: change.collectionId } }
  }
  if (operation.op === 'putFile' || operation.op === 'deleteFile')
    return await fileItem(services, site, operation, overwrite)
  const change =
    'path' in operation
      ? await publishChange(services, context, site, { asPage, ...operation })
      : await pageChange(services, context, site, operation, room)
  const path = 'path' in change ? change.path : change.page.path
  return { change, shown: { op: operation.op, path, url: pageUrlOf(services, site.slug, path) } }
}

/** Returns the page or record that the change writes to: no two changes of a batch may share it. */
export function keyOf(change: BatchChange): string {
  if ('recordId' in change) return `${change.collectionId}/${change.recordId}`
  // A page can be put as a file too.
  return 'path' in change ? (pagePathOf(change.path) ?? change.path) : change.page.path
}

async function fileItem(
  services: Services,
  site: Site,
  operation: OnFile,
  overwrite: boolean | undefined,
): Promise<PreparedItem> {
  const condition = conditionsOf(operation)
  const { change, packs } =
    operation.op === 'putFile'
      ? await putFileChange(services, site, { overwrite, ...operation }, condition)
      : { change: deleteFileChange(operation.path, condition), packs: [] }
  const url = urlPathOfFile(change.path)
  const shown = { op: operation.op, path: `/${change.path}` }
  return { change, shown: { ...shown, ...(url && { url: siteUrlOf(services, site.slug) + url }) }, packs }
}

async function publishChange(
  services: Services,
  context: RequestContext,
  site: Site,
  operation: OnNewPage & { asPage: boolean | undefined },
) {
  const { op, path, html, title, asPage } = operation
  const source = {
    path,
    html,
    title,
    asPage,
    ...(op === 'putPage' ? conditionsOf(operation) : { templateId: operation.templateId }),
  }
  return await toPublishOperation(services, context, site, source, op === 'putPage')
}

async function pageChange(
  services: Services,
  context: RequestContext,
  site: Site,
  operation: OnPage,
  room: Preparation['room'],
) {
  const found = await findNamedPage(services, context, site, operation.id)
  const { known: page, row } = found
  const condition = conditionsOf(operation)
  switch (operation.op) {
    case 'replacePage':
      return { kind: 'replace-page', page, html: toHtmlBytes(services, operation.html), ...condition } as const
    case 'editContent': {
      room.bytes -= row.size
      if (room.bytes < 0) throw tooMuchToEdit()
      const html = await editedHtml(services, context, found, { edits: operation.edits, ...condition })
      return { kind: 'replace-page', page, html, ifMatch: [row.etag] } as const
    }
    case 'retitlePage':
      return { kind: 'retitle-page', page, title: operation.title, ...condition } as const
    default:
      return { kind: 'unpublish-page', page, ...condition } as const
  }
}

async function recordChange(
  services: Services,
  context: RequestContext,
  site: Site,
  operation: OnRecord,
  newId: string,
) {
  const collection = await findNamedCollection(services, site, operation.collectionId)
  const { id: collectionId, definition } = collection.row
  const json = operation.op === 'deleteRecord' ? '' : await checkRecord(services, context, collection, operation.data)
  if (operation.op === 'createRecord')
    return { kind: 'put-record', collectionId, recordId: newId, json, definition, create: true } as const
  const { row, known } = await findRecord(services, collection, operation.recordId)
  const about = { collectionId, recordId: row.id, known, ...conditionsOf(operation) }
  if (operation.op === 'deleteRecord') return { kind: 'delete-record', ...about } as const
  return { kind: 'put-record', ...about, json, definition, create: false } as const
}

function tooMuchToEdit(): ServiceError {
  const message =
    'The pages that this batch edits are too long together: edit them in several batches, or replace them.'
  return new ServiceError('too_costly', message)
}

function conditionsOf(operation: { ifMatch?: string }): Conditions {
  const { ifMatch } = operation
  if (ifMatch === undefined) return {}
  return conditionOf({ ifMatch: ifMatch === '*' ? '*' : [ifMatch.slice(1, -1)] })
}
