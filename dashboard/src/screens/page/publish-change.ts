// Publishes a text, or saves it in a change request. The service merges it with what was written there since the text began.

import { dataOf, type Page, Refusal, type Site, siteApi } from '../../api/client.js'
import { wordMarks } from '../../editor/both-texts.js'
import { formatNames } from '../../format.js'
import { readPage } from './read-page.js'

export interface Change {
  html: string
  note: string
  /** The version that it began with, or that it replaces. */
  etag: string
  /** Replaces that version, which the person has seen, and merges nothing. */
  isOver: boolean
  /** Saves it in this change request in place of publishing it; `new` makes one. */
  request?: string | undefined
}

type MergedVersion = NonNullable<Page['mergedWith']>[number]

export interface Conflicting {
  is: 'conflict'
  /** The newest version. */
  theirs: Page
  /** The names of those who published since the draft began. */
  authors: string
  /** The text with both versions of each place, between marks; undefined if the two cannot be mixed. */
  both: string | undefined
}

export interface Written {
  is: 'published'
  page: Page
  mergedWith: readonly MergedVersion[]
  /** The change request that it was saved in. */
  request: string | undefined
}

export type Outcome = Written | { is: 'unpublished'; page: Page } | Conflicting

interface ConflictDetails {
  conflicts?: { hunks: string | null }[]
  since?: MergedVersion[]
}

export async function publishChange(site: Site, page: Page, change: Change): Promise<Outcome> {
  try {
    const { page: next, request } = await replaceContent(site, page.id, change)
    const { mergedWith = [] } = next
    const isAlone = mergedWith.length === 0
    const published = isAlone ? { ...next, html: change.html } : await readPage(site, page.id, null, request)
    // A request that came twice merged nothing new.
    return { is: 'published', page: published, mergedWith: next.changed === false ? [] : mergedWith, request }
  } catch (error) {
    if (!(error instanceof Refusal) || !STALE.has(error.code)) throw error
    const theirs = await readPage(site, page.id, null, change.request === 'new' ? undefined : change.request)
    if (theirs.status !== 'published') return { is: 'unpublished', page: theirs }
    const { conflicts, since = [] } = (error.details ?? {}) as ConflictDetails
    const authors = since.length === 0 ? 'somebody else' : formatNames(since.map(({ author }) => author))
    const hunks = conflicts?.[0]?.hunks ?? undefined
    return { is: 'conflict', theirs, authors, both: hunks && wordMarks(hunks, authors) }
  }
}

const STALE = new Set(['merge_conflict', 'page_unpublished', 'precondition_failed'])

/** Returns the address of what the others changed. */
export function mergedHistoryOf(site: Site, page: Page, mergedWith: readonly MergedVersion[]): string {
  const [newest, oldest] = [mergedWith[0]?.number ?? 1, mergedWith.at(-1)?.number ?? 1]
  return `/sites/${site.slug}/pages/${page.id}/history?from=${oldest - 1}&to=${newest}`
}

async function replaceContent(site: Site, id: string, { html, note, etag, isOver, request }: Change) {
  const query = { ...(!isOver && { onConflict: 'merge' as const }), ...(request && { changeRequest: request }) }
  const params = { path: { id }, query, header: { 'If-Match': etag } }
  const body = { html, ...(note !== '' && { reason: note }) }
  const answer = await siteApi(site).PUT('/pages/{id}/content', { params, body })
  return { page: dataOf(answer), request: answer.data?.changeRequest }
}
