// A draft that changes the same lines as the live page does since: both texts, and bringing the draft past them.

import { type Page, Refusal, type Site } from '../../../api/client.js'
import { updateRequest } from '../../../api/requests.js'
import { swapSides, wordMarks } from '../../../editor/both-texts.js'
import { readPage } from '../read-page.js'
import type { Conflicting } from '../save-draft.js'

interface PathConflict {
  path: string
  reason: string
  hunks: string
}

/** The service cuts longer texts. */
const MAX_HUNKS = 65_536
const AUTHORS = 'somebody else'

/** Live versions that the person has seen beside the draft, by the id of the draft. */
const seen = new Map<string, { path: string; etag: string }>()

/** Returns the conflict in the page for which publishing was refused; undefined for another refusal. */
export async function readLiveConflict(site: Site, page: Page, error: unknown): Promise<Conflicting | undefined> {
  if (!(error instanceof Refusal) || error.code !== 'merge_conflict') return undefined
  const { conflicts = [] } = (error.details ?? {}) as { conflicts?: PathConflict[] }
  const [own, other] = conflicts
  if (own === undefined || other !== undefined || !own.path.endsWith('.html')) return undefined
  const theirs = await readPage(site, page.id)
  const isWhole = own.reason === 'changed' && own.hunks.length < MAX_HUNKS
  const both = isWhole ? wordMarks(swapSides(own.hunks), AUTHORS) : undefined
  return { is: 'conflict', live: own.path, theirs, authors: AUTHORS, both }
}

/** Remembers that the person has seen the live version, and wants the draft in its place. */
export function noteSeen(request: string, { live, theirs }: Conflicting): void {
  if (live !== undefined) seen.set(request, { path: live, etag: theirs.etag })
}

/** Keeps the draft's own text of the page, if the person has seen the live one. A newer one is asked about again. */
export async function bringPast(site: Site, page: Page, request: string): Promise<void> {
  const known = seen.get(request)
  if (known === undefined) return
  seen.delete(request)
  if ((await readPage(site, page.id)).etag === known.etag) await updateRequest(request, { ours: [known.path] })
}
