// Makes the change of an operation on a page, merged with what was published since if the client wants that.

import type { BatchOperation } from '../../../schemas/batch.js'
import { ServiceError } from '../../model/errors.js'
import { parsePagePath } from '../../model/paths/page-path.js'
import type { Finding, Reading, SiteCall } from '../context/call.js'
import { mergeHtml } from '../merging/merge-html.js'
import { mergeTitle } from '../merging/merge-title.js'
import { editedHtml, editedVersion } from '../pages/edit-content.js'
import { leavesOf } from '../moves/unpublish-page.js'
import { findPageAt, findPlace } from '../pages/find-page.js'
import { toPublishOperation } from '../pages/publish.js'
import { toHtmlBytes } from '../templates/page-html.js'
import { type BatchChange, conditionsOf, type Merged } from './batch-change.js'
import { findNamedPage } from './named-targets.js'

type OnPage = Extract<
  BatchOperation,
  { op: 'replacePage' | 'editContent' | 'retitlePage' | 'movePage' | 'unpublishPage' }
>

type OnNewPage = Extract<BatchOperation, { op: 'createPage' | 'putPage' }>

/** `tags` are the entity tags of the version that the client changed: the change is merged. */
export async function publishChange(
  call: SiteCall<Reading | 'limits' | 'newId' | 'tasks'>,
  operation: OnNewPage & { asPage: boolean | undefined },
  tags: readonly string[] | undefined,
): Promise<Merged<Extract<BatchChange, { kind: 'publish-page' }>>> {
  const { op, path, html, title, asPage } = operation
  const source = {
    path,
    html,
    title,
    asPage,
    ...(op === 'putPage' ? conditionsOf(operation) : { templateId: operation.templateId }),
  }
  const page = tags && (await findPageAt(call, parsePagePath(path)))
  if (tags === undefined || page === undefined || html === undefined)
    return { change: await toPublishOperation(call, source, op === 'putPage') }
  const sent = toHtmlBytes(call, html)
  const { html: both, ...merged } = await mergeHtml(call, page, { makeHtml: () => sent, ifMatch: tags })
  return {
    change: await toPublishOperation(call, { ...source, html: both, ifMatch: [page.row.etag] }, true),
    ...merged,
  }
}

/** `room` is what the batch may still edit. Throws `too_costly` if it is used up. */
export async function pageChange(
  call: SiteCall<'baseUrl' | 'siteDomain' | Finding | 'limits' | 'tasks'>,
  operation: OnPage,
  room: { bytes: number },
  tags: readonly string[] | undefined,
): Promise<Merged<Extract<BatchChange, { page: unknown }>>> {
  const found = await findNamedPage(call, operation.id)
  const { known: page, row } = found
  const condition = conditionsOf(operation)
  const isNewest = { ifMatch: [row.etag] }
  switch (operation.op) {
    case 'replacePage': {
      const sent = toHtmlBytes(call, operation.html)
      if (tags === undefined) return { change: { kind: 'replace-page', page, html: sent, ...condition } }
      const { html, ...merged } = await mergeHtml(call, found, { makeHtml: () => sent, ifMatch: tags })
      return { change: { kind: 'replace-page', page, html, ...isNewest }, ...merged }
    }
    case 'editContent': {
      room.bytes -= row.size
      if (room.bytes < 0) throw tooMuchToEdit()
      const { edits } = operation
      const makeHtml = (blob: string | null) => editedVersion(call, blob, edits)
      const { html, ...merged } =
        tags === undefined
          ? { html: await editedHtml(call, found, { edits, ...condition }) }
          : await mergeHtml(call, found, { makeHtml, ifMatch: tags })
      return { change: { kind: 'replace-page', page, html, ...isNewest }, ...merged }
    }
    case 'retitlePage': {
      const { title } = operation
      if (tags === undefined) return { change: { kind: 'retitle-page', page, title, ...condition } }
      const mergedWith = await mergeTitle(call, found, { title, ifMatch: tags })
      return { change: { kind: 'retitle-page', page, title, ...isNewest }, ...(mergedWith && { mergedWith }) }
    }
    case 'movePage': {
      const path = parsePagePath(operation.path)
      const { sidecar } = await findPlace(call, path)
      return { change: { kind: 'move-page', page, path, sidecar, ...condition } }
    }
    default:
      return { change: { kind: 'unpublish-page', page, ...leavesOf(call, operation), ...condition } }
  }
}

function tooMuchToEdit(): ServiceError {
  const message =
    'The pages that this batch edits are too long together: edit them in several batches, or replace them.'
  return new ServiceError('too_costly', message)
}
