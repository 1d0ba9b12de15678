// Saves a text in the draft of its page. The service merges it with what was written there since the text began.

import { dataOf, type Page, Refusal, type Site, siteApi } from '../../api/client.js'
import { markBoth, wordMarks } from '../../editor/both-texts.js'
import { formatNames } from '../../format.js'
import { readPage } from './read-page.js'

export interface Change {
  html: string
  /** The version that it began with, or that it replaces. */
  etag: string
  /** Replaces that version, which the person has seen, and merges nothing. */
  isOver: boolean
  /** The change request; undefined for the person's own draft, which is made if there is none. */
  request: string | undefined
  /** Whether the window may close meanwhile. */
  isLeaving: boolean
}

export interface Conflicting {
  is: 'conflict'
  /** The file that the live page has the conflict in; undefined for a conflict with the draft, as somebody else saved it. */
  live: string | undefined
  /** The newest version there. */
  theirs: Page
  /** The names of those who wrote since the text began. */
  authors: string
  /** The text with both versions of each place, between marks; undefined if the two cannot be mixed. */
  both: string | undefined
}

export interface Saved {
  is: 'saved'
  page: Page
  /** The change request that holds it; undefined if the text is the live one, and there is no draft. */
  request: string | undefined
}

interface ConflictDetails {
  conflicts?: { hunks: string | null }[]
  since?: NonNullable<Page['mergedWith']>
}

/** The most characters that browsers send for a window that is closed. */
const MAX_LEAVING = 50_000

export async function saveDraft(site: Site, page: Page, change: Change): Promise<Saved | Conflicting> {
  const { html, request } = change
  try {
    const { page: next, request: saved } = await replaceContent(site, page.id, change)
    const isAlone = (next.mergedWith ?? []).length === 0
    const found = isAlone ? { ...next, html } : await readPage(site, page.id, null, saved)
    return { is: 'saved', page: found, request: saved }
  } catch (error) {
    if (!(error instanceof Refusal) || !STALE.has(error.code)) throw error
    const theirs = await readPage(site, page.id, null, request)
    if (theirs.status !== 'published' && change.isOver) return await revive(site, page, change)
    const { conflicts, since = [] } = (error.details ?? {}) as ConflictDetails
    const authors = since.length === 0 ? 'somebody else' : formatNames(since.map(({ author }) => author))
    const hunks = conflicts?.[0]?.hunks ?? undefined
    // Without hunks the service does not know with which version the text began.
    const both = hunks ? wordMarks(hunks, authors) : theirs.html && markBoth(theirs.html, html, authors)
    return { is: 'conflict', live: undefined, theirs, authors, both }
  }
}

/** Puts a page that somebody unpublished back, in the draft: it keeps its id. */
async function revive(site: Site, { path }: Page, { html, request }: Change): Promise<Saved> {
  const query = { changeRequest: request ?? ('draft' as const) }
  const answer = await siteApi(site).POST('/pages', { params: { query }, body: { path, html } })
  return { is: 'saved', page: { ...dataOf(answer), html }, request: answer.data?.changeRequest ?? request }
}

const STALE = new Set(['merge_conflict', 'page_unpublished', 'precondition_failed'])

async function replaceContent(site: Site, id: string, { html, etag, isOver, request, isLeaving }: Change) {
  const query = { ...(!isOver && { onConflict: 'merge' as const }), changeRequest: request ?? ('draft' as const) }
  const params = { path: { id }, query, header: { 'If-Match': etag } }
  const keepalive = isLeaving && html.length < MAX_LEAVING
  const answer = await siteApi(site).PUT('/pages/{id}/content', { params, body: { html }, keepalive })
  return { page: dataOf(answer), request: answer.data?.changeRequest ?? request }
}
