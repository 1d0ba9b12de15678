// Opens a page for its editor: as the person's own draft of it makes it, else as it is live.

import { type ChangeRequest, type Page, Refusal, type Site } from '../../api/client.js'
import { takePage } from './named-page.js'
import { takeDrafts, takeRequest } from './named-request.js'
import { OWN_DRAFT } from './read-page.js'

export interface OpenPage {
  page: Page
  /** The change request that the page is of; undefined for the live page. */
  request: ChangeRequest | undefined
  /** Open drafts of the page by others. */
  others: readonly ChangeRequest[]
}

export async function openPage(site: Site, id: string, signal: AbortSignal): Promise<OpenPage> {
  const own = settled(takePage(site, id, signal, OWN_DRAFT))
  const drafts = await takeDrafts(site, id, signal)
  const request = drafts.find(({ mine }) => mine)
  try {
    return { page: unwrap(await own), request, others: drafts.filter(({ mine }) => !mine) }
  } catch (error) {
    const isGone = error instanceof Refusal && error.code === 'page_not_found'
    if (!isGone || request === undefined) throw error
    // The draft takes the page down.
    return { page: await takePage(site, id, signal), request: undefined, others: drafts }
  }
}

/** Opens the page as one change request makes it. One that has ended is no draft any more: then the page is opened as `openPage` does. */
export async function openDraft(site: Site, id: string, requestId: string, signal: AbortSignal): Promise<OpenPage> {
  const page = settled(takePage(site, id, signal, requestId))
  const request = await takeRequest(requestId, signal)
  return request.closedAt === null
    ? { page: unwrap(await page), request, others: [] }
    : await openPage(site, id, signal)
}

type Settled<T> = { value: T } | { error: unknown }

/** Waits for nothing, and throws nothing before it is unwrapped. */
async function settled<T>(work: Promise<T>): Promise<Settled<T>> {
  return await work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  )
}

function unwrap<T>(result: Settled<T>): T {
  if ('value' in result) return result.value
  throw result.error
}
