// Publishes a draft. The service merges it with what was published since the draft began.

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

export type Outcome =
  | { is: 'published'; page: Page; mergedWith: readonly MergedVersion[] }
  | { is: 'unpublished'; page: Page }
  | Conflicting

interface ConflictDetails {
  conflicts?: { hunks: string | null }[]
  since?: MergedVersion[]
}

export async function publishChange(site: Site, page: Page, change: Change): Promise<Outcome> {
  try {
    const next = await replaceContent(site, page.id, change)
    const { mergedWith = [] } = next
    const published = mergedWith.length === 0 ? { ...next, html: change.html } : await readPage(site, page.id)
    // A request that came twice merged nothing new.
    return { is: 'published', page: published, mergedWith: next.changed === false ? [] : mergedWith }
  } catch (error) {
    if (!(error instanceof Refusal) || !STALE.has(error.code)) throw error
    const theirs = await readPage(site, page.id)
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

async function replaceContent(site: Site, id: string, { html, note, etag, isOver }: Change): Promise<Page> {
  const query = isOver ? {} : ({ onConflict: 'merge' } as const)
  const params = { path: { id }, query, header: { 'If-Match': etag } }
  const body = { html, ...(note !== '' && { reason: note }) }
  return dataOf(await siteApi(site).PUT('/pages/{id}/content', { params, body }))
}
