// Makes the same edits on many pages in one commit: all of them or none.

import type { EditPagesBody, EditPagesData } from '../../../schemas/batch.js'
import { ServiceError } from '../../model/errors.js'
import type { CommitFacts } from '../../model/commits/facts.js'
import type { RefusedChange } from '../../repository/operations/change-set.js'
import type { Operation } from '../../repository/protocol/write.js'
import { describeDraft } from '../pages/dry-run.js'
import type { AtSite, Call, Changing } from '../context/call.js'
import type { DryRunInput } from '../context/input.js'
import { changeSite } from '../context/change-site.js'
import type { Result } from '../context/result.js'
import { siteOf } from '../context/target.js'
import { type EditedPage, editPagesOf } from './edited-pages.js'

/** Throws `edit_not_applicable` with every faulty page, or if the count differs. */
export async function editPages(
  asked: Call<Changing>,
  input: EditPagesBody & DryRunInput,
): Promise<Result<EditPagesData>> {
  const call = { ...asked, site: siteOf(asked, input.siteId) }
  return await changeSite(call, {
    input,
    plan: async () => {
      const pages = await editPagesOf(call, input)
      // A dry run tells the count.
      if (input.dryRun !== true || input.count !== undefined) checkCount(input, pages)
      if (pages.length === 0) return { nothing: { data: toData(null, pages) } }
      return { operation: toChangeSet(pages), reason: input.reason, pages }
    },
    answer: ({ changed, commit }, { pages }) => ({ data: toData(changed ? commit : null, pages) }),
    show: async (draft, { pages }) => {
      return { data: { ...toData(null, pages), changed: true, dryRun: await describeDraft(call, draft) } }
    },
    replay: (facts) => replayEdits(call, facts),
    isOvertaken: isStale,
  })
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
  { indexFollower, site }: AtSite<'indexFollower'>,
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

/** Whether pages were changed while they were edited. */
function isStale(error: unknown): boolean {
  if (!(error instanceof ServiceError) || error.code !== 'batch_refused') return false
  const { errors } = error.details as { errors: RefusedChange[] }
  return errors.every(({ code }) => code === 'precondition_failed')
}
