// Answers a repeated batch: the operations come from the request, their effects from the commit of the first request.

import type { BatchBody, BatchData, BatchItemData, BatchOperation } from '../../../schemas/batch.js'
import type { SiteIndex } from '../../index/site-index.js'
import type { Site } from '../../catalog/site.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import { isUuid } from '../../model/ids.js'
import { type PagePath, parsePagePath, treePathOf } from '../../model/paths/page-path.js'
import { pathOf } from '../pages/page-data.js'
import type { AtSite } from '../context/call.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { pageUrlOf, siteUrlOf } from '../../model/hosts/site-url.js'
import { treePathOfFile, urlPathOfFile } from '../../model/paths/file-path.js'

type OnRecord = Extract<BatchOperation, { collectionId: string }>
type OnFile = Extract<BatchOperation, { op: 'putFile' | 'deleteFile' }>
type OnPage = Exclude<BatchOperation, OnRecord | OnFile>

export async function replayBatch(
  call: AtSite<'baseUrl' | 'indexFollower' | 'siteDomain'>,
  { operations }: BatchBody,
  facts: CommitFacts,
): Promise<Result<BatchData>> {
  const { site } = call
  const made = madeRecords(operations, facts)
  const items = await call.indexFollower.read(site, (index) =>
    operations.map((operation) =>
      'collectionId' in operation
        ? recordItem(index, operation, facts, made)
        : operation.op === 'putFile' || operation.op === 'deleteFile'
          ? fileItem(call, operation, facts)
          : pageItem(call, index, site, operation, facts),
    ),
  )
  return { data: { commit: facts.oid, changed: true, items } }
}

function fileItem(
  call: AtSite<'baseUrl' | 'siteDomain'>,
  { op, path: text }: OnFile,
  facts: CommitFacts,
): BatchItemData {
  const treePath = treePathOfFile(text)
  const path = `/${treePath}`
  // A page that is too large to be more than a file is put as one.
  const change = [...facts.files, ...facts.pageFiles].find((file) => file.treePath === treePath)
  const url = urlPathOfFile(treePath)
  return {
    op,
    id: path,
    path,
    ...(url && { url: siteUrlOf(call, call.site.slug) + url }),
    created: change?.before === null,
    changed: change !== undefined,
  }
}

function pageItem(
  services: Pick<Services, 'baseUrl' | 'siteDomain'>,
  index: SiteIndex,
  site: Site,
  operation: OnPage,
  facts: CommitFacts,
): BatchItemData {
  const { path, id } = 'path' in operation ? placeOf(index, operation.path, facts) : pageOf(index, operation)
  const file = facts.pageFiles.find(({ treePath }) => path !== undefined && treePath === treePathOf(path))
  const changed = file !== undefined || facts.sidecars.some(({ pageId }) => pageId === id)
  const created = file?.before === null && operation.op !== 'movePage'
  return { op: operation.op, id, ...(path && { path, url: pageUrlOf(services, site.slug, path) }), created, changed }
}

/** Finds the id of the page at a path: from the commit's sidecar, else from the page that is there now. */
function placeOf(index: SiteIndex, text: string, facts: CommitFacts): { path: PagePath; id: string } {
  const path = parsePagePath(text)
  const written = facts.sidecars.find(({ sidecar }) => sidecar?.path === path)
  return { path, id: written?.pageId ?? index.pages.findByPath(path)?.id ?? '' }
}

/** Finds the page that an operation names by id or path. */
function pageOf(index: SiteIndex, { id: name }: { id: string }): { path: PagePath | undefined; id: string } {
  const id = name.toLowerCase()
  const row = isUuid(id) ? index.pages.find(id) : index.pages.findByPath(parsePagePath(name))
  return { path: row && pathOf(row), id: row?.id ?? id }
}

function recordItem(
  index: SiteIndex,
  operation: OnRecord,
  facts: CommitFacts,
  made: Map<string, string[]>,
): BatchItemData {
  const { collectionId: name } = operation
  const collectionId = isUuid(name) ? name.toLowerCase() : (index.collections.idsNamed(name)[0] ?? name)
  if (operation.op === 'createRecord') {
    const id = made.get(collectionId)?.shift() ?? ''
    return { op: operation.op, id, collectionId, created: true, changed: true }
  }
  const id = operation.recordId.toLowerCase()
  const changed = facts.records.some((record) => record.recordId === id && record.collectionId === collectionId)
  return { op: operation.op, id, collectionId, created: false, changed }
}

/** Returns the new records of each collection, in the order of their operations: the ids ascend. */
function madeRecords(operations: readonly BatchOperation[], facts: CommitFacts): Map<string, string[]> {
  const named = new Set(
    operations.flatMap((operation) => ('recordId' in operation ? [operation.recordId.toLowerCase()] : [])),
  )
  const made = new Map<string, string[]>()
  for (const { collectionId, recordId } of facts.records) {
    if (!named.has(recordId)) made.set(collectionId, [...(made.get(collectionId) ?? []), recordId])
  }
  for (const ids of made.values()) ids.sort()
  return made
}
