// Makes the same edits on many pages in one commit: all of them or none.

import type { EditPagesBody, EditPagesData } from '../../../schemas/batch.js'
import type { Site } from '../../catalog/site.js'
import { ServiceError } from '../../model/errors.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import type { RefusedChange } from '../../repository/operations/change-set.js'
import type { Operation } from '../../repository/protocol/write.js'
import { describeDraft } from '../pages/dry-run.js'
import type { DryRunInput } from '../context/input.js'
import { rememberedBySite } from '../context/remembered-by-site.js'
import type { RequestContext } from '../context/request-context.js'
import type { Result } from '../context/result.js'
import type { Services } from '../context/services.js'
import { siteOf } from '../context/target.js'
import { answerable, toWrite, writeSite } from '../context/write-site.js'
import { type EditedPage, editPagesOf } from './edited-pages.js'

/** Pages that change while they are edited are edited again. */
const MAX_TRIES = 3

/** Throws `edit_not_applicable` with every faulty page, or if the count differs. */
export async function editPages(
  services: Services,
  context: RequestContext,
  input: EditPagesBody & DryRunInput,
): Promise<Result<EditPagesData>> {
  const site = siteOf(services, context, input.siteId)
  if (input.dryRun === true) return await showEdits(services, context, site, input)
  const replay = (facts: CommitFacts) => replayEdits(services, site, facts)
  return await services.idempotency.once(
    context,
    { input, ...rememberedBySite(services, site, replay) },
    async (idempotency) => {
      for (let tries = 1; ; tries += 1) {
        const pages = await editPagesOf(services, context, site, input)
        checkCount(input, pages)
        if (pages.length === 0) return { result: { data: toData(null, pages) }, committed: false }
        try {
          const notes = { reason: input.reason, idempotency }
          const written = await writeSite(services, context, site, toChangeSet(pages), notes)
          const data = await answerable(written, () => toData(written.changed ? written.commit : null, pages))
          return { result: { data }, committed: written.changed }
        } catch (error) {
          if (tries === MAX_TRIES || !isStale(error)) throw error
        }
      }
    },
  )
}

async function showEdits(
  services: Services,
  context: RequestContext,
  site: Site,
  input: EditPagesBody,
): Promise<Result<EditPagesData>> {
  const pages = await editPagesOf(services, context, site, input)
  if (input.count !== undefined) checkCount(input, pages)
  const data = { ...toData(null, pages), changed: pages.length > 0 }
  if (pages.length === 0) return { data }
  const draft = await services.store.draft(site, toWrite(services, context, toChangeSet(pages)))
  return { data: { ...data, dryRun: await describeDraft(services, site, draft) } }
}

function toChangeSet(pages: readonly EditedPage[]): Operation {
  const changes = pages.map(({ page, html }) => {
    return { kind: 'replace-page', page: page.known, html, ifMatch: [page.row.etag] } as const
  })
  return { kind: 'change-set', changes }
}

/** Edits of all occurrences need a count, which shows that the client has seen what it replaces. */
function checkCount({ edits, count }: EditPagesBody, pages: readonly EditedPage[]): void {
  const found = sumOf(pages)
  if (count === found || (count === undefined && edits.every(({ occurrences }) => occurrences !== 'all'))) return
  const wanted = count === undefined ? 'count is missing' : `count is ${count}`
  throw new ServiceError(
    'edit_not_applicable',
    `Nothing was changed: ${wanted}, and ${found} places on ${pages.length} pages would be replaced.`,
    { count: found, pages: pages.length },
  )
}

function toData(commit: string | null, pages: readonly EditedPage[]): EditPagesData {
  const edited = pages.map(({ page: { row }, count }) => ({ id: row.id, path: row.path, count }))
  return { commit, changed: commit !== null, count: sumOf(pages), pages: edited }
}

function sumOf(pages: readonly EditedPage[]): number {
  return pages.reduce((sum, { count }) => sum + count, 0)
}

async function replayEdits(
  { indexFollower }: Services,
  site: Site,
  facts: CommitFacts,
): Promise<Result<EditPagesData>> {
  const pages = await indexFollower.read(site, (index) =>
    facts.pageFiles.flatMap(({ path }) => {
      const row = path === undefined ? undefined : index.pages.findByPath(path)
      return row === undefined ? [] : [{ id: row.id, path: row.path }]
    }),
  )
  return { data: { commit: facts.oid, changed: true, pages } }
}

function isStale(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'batch_refused') return false
  const { errors } = error.details as { errors: RefusedChange[] }
  return errors.every(({ code }) => code === 'precondition_failed')
}
