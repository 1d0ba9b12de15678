// Makes many changes of a site's pages and records in one commit: all of them or none.

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { BatchBody, BatchData, BatchOperation } from '../../../schemas/batch.js'
import type { Site } from '../../catalog/site.js'
import { saysRetry, ServiceError } from '../../model/errors.js'
import { batchRefused, changedTwice, type RefusedChange, toRefused } from '../../repository/operations/change-set.js'
import { removePack } from '../../git/streams/pack-stream.js'
import type { Operation, PackToInstall } from '../../repository/protocol/write.js'
import type { WrittenItem } from '../../repository/protocol/written.js'
import { keyOf, type PreparedItem, prepareItem } from './batch-items.js'
import { replayBatch } from './batch-replay.js'
import { describeDraft } from '../pages/dry-run.js'
import { warnOfFile } from '../files/batch-file.js'
import { warnOfFileName } from '../pages/named-as-file.js'
import type { DryRunInput } from '../context/input.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import type { RequestContext } from '../context/request-context.js'
import { siteOf } from '../context/target.js'
import { answerable, toWrite, writeSite } from '../context/write-site.js'

/** Limit for the bytes of all pages that one batch edits. */
const MAX_EDITED_BYTES = 32 * 1024 * 1024
/** Milliseconds of preparing before the thread serves other requests. */
const TURN_MS = 5
/** Records are checked again if a schema changes between the check and the write. */
const MAX_TRIES = 3
/** Files that are fetched, one after the other. */
const MAX_FETCHED = 20

/** Throws `batch_refused` with every faulty operation. */
export async function runBatch(
  services: Services,
  context: RequestContext,
  input: BatchBody & DryRunInput,
): Promise<Result<BatchData>> {
  const site = siteOf(services, context, input.siteId)
  // Ids are looked up only in the site of the commit.
  const aim = { ...context, target: { ...context.target, site } }
  if (input.dryRun === true) return withWarnings(services, input, await showBatch(services, aim, site, input))
  const replay = (facts: Parameters<typeof replayBatch>[3]) => replayBatch(services, site, input, facts)
  const result = await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, replay) },
    async (idempotency) => {
      for (let tries = 1; ; tries += 1) {
        const prepared = await prepare(services, aim, site, input)
        try {
          const written = await writeSite(services, aim, site, toChangeSet(prepared), {
            reason: input.reason,
            idempotency,
            packs: packsOf(prepared),
          })
          const data = await answerable(written, () => toBatchData(written.commit, prepared, written.items ?? []))
          return { result: { data }, committed: written.changed }
        } catch (error) {
          if (tries === MAX_TRIES || !isSchemaChanged(error)) throw error
        } finally {
          await removePacks(prepared)
        }
      }
    },
  )
  return withWarnings(services, input, result)
}

/** Adds a warning to each page at the path of a file, and to each odd file; a repeated request gets the same warnings. */
function withWarnings(
  services: Services,
  { operations, asPage }: BatchBody,
  { data, ...result }: Result<BatchData>,
): Result<BatchData> {
  const items = data.items.map((item, at) => {
    const operation = operations[at]
    if (operation?.op === 'putFile') return { ...item, ...warnOfFile(services, operation) }
    const isNew = operation?.op === 'createPage' || operation?.op === 'putPage'
    return isNew ? { ...item, ...warnOfFileName(operation.path, operation.asPage ?? asPage) } : item
  })
  return { ...result, data: { ...data, items } }
}

async function showBatch(
  services: Services,
  context: RequestContext,
  site: Site,
  input: BatchBody & DryRunInput,
): Promise<Result<BatchData>> {
  const prepared = await prepare(services, context, site, input)
  try {
    const write = toWrite(services, context, toChangeSet(prepared), { packs: packsOf(prepared) })
    const draft = await services.store.draft(site, write)
    const dryRun = await describeDraft(services, site, draft)
    return { data: { ...toBatchData('', prepared, draft.written.items ?? []), commit: null, dryRun } }
  } finally {
    await removePacks(prepared)
  }
}

function packsOf(prepared: readonly PreparedItem[]): PackToInstall[] {
  return prepared.flatMap(({ packs = [] }) => packs)
}

async function removePacks(prepared: readonly PreparedItem[]): Promise<void> {
  for (const { path } of packsOf(prepared)) await removePack(path)
}

function toChangeSet(prepared: readonly PreparedItem[]): Operation {
  return { kind: 'change-set', changes: prepared.map(({ change }) => change) }
}

/** Turns every operation into a change of the site. Throws `batch_refused`. */
async function prepare(
  services: Services,
  context: RequestContext,
  site: Site,
  { operations, asPage, overwrite }: BatchBody,
): Promise<PreparedItem[]> {
  const fetched = operations.filter((operation) => 'url' in operation).length
  if (fetched > MAX_FETCHED)
    throw new ServiceError('too_costly', `A batch fetches at most ${MAX_FETCHED} files by url: send several batches.`)
  const prepared: PreparedItem[] = []
  const refused: RefusedChange[] = []
  const named = new Set<string>()
  const seen = new Set<string>()
  const room = { bytes: MAX_EDITED_BYTES }
  // Ids of new records ascend, so that a replay can tell from the commit which operation made which record.
  const ids = operations.map(() => services.newId()).toSorted()
  let turnEnds = performance.now() + TURN_MS
  for (const [index, operation] of operations.entries()) {
    if (performance.now() > turnEnds) {
      await nextTurn()
      turnEnds = performance.now() + TURN_MS
    }
    try {
      // Checked before any work: an edit of a large page costs much, and a batch may name it 500 times.
      if (!isNewIn(named, nameOf(operation))) throw changedTwice()
      const newId = ids[index] ?? services.newId()
      const item = await prepareItem(services, context, site, operation, { newId, room, asPage, overwrite })
      if (!isNewIn(seen, keyOf(item.change))) throw changedTwice()
      prepared.push(item)
    } catch (error) {
      refused.push(toRefused(index, error))
    }
  }
  if (refused.length > 0) throw batchRefused(refused, operations.length)
  return prepared
}

/** Returns the page, file or record as the request names it; undefined for a new record. A file gives its path to a page. */
function nameOf(operation: BatchOperation): string | undefined {
  if ('recordId' in operation) return `${operation.collectionId}/${operation.recordId}`.toLowerCase()
  if ('id' in operation) return operation.id.toLowerCase()
  if (!('path' in operation)) return undefined
  return operation.op.endsWith('File') ? `file ${operation.path}` : operation.path
}

function isNewIn(seen: Set<string>, name: string | undefined): boolean {
  if (name === undefined) return true
  if (seen.has(name)) return false
  seen.add(name)
  return true
}

function toBatchData(commit: string, prepared: readonly PreparedItem[], written: readonly WrittenItem[]): BatchData {
  const items = prepared.flatMap(({ shown }, at) => {
    const item = written[at]
    return item === undefined ? [] : [{ ...shown, ...item }]
  })
  const changed = items.some((item) => item.changed)
  return { commit: changed ? commit : null, changed, items }
}

function isSchemaChanged(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'batch_refused') return false
  const { errors } = error.details as { errors: RefusedChange[] }
  return errors.every(({ details }) => saysRetry(details))
}
