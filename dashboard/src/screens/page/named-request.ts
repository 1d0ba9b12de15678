// Reads the change request that an address names, or the drafts of a page that it names. Both may be asked for before the site is read.

import { askAhead, takeAhead } from '../../api/ahead.js'
import type { ChangeRequest, Site } from '../../api/client.js'
import { listDrafts, readRequest } from '../../api/requests.js'

export function askForRequest(id: string): void {
  askAhead(keyOf(id), () => readRequest(id))
}

export async function takeRequest(id: string, signal: AbortSignal): Promise<ChangeRequest> {
  return await takeAhead(keyOf(id), () => readRequest(id, signal))
}

export function askForDrafts(siteId: string, page: string): void {
  askAhead(draftsKey(siteId, page), () => listDrafts({ id: siteId }, page))
}

export async function takeDrafts(site: Site, page: string, signal: AbortSignal): Promise<readonly ChangeRequest[]> {
  return await takeAhead(draftsKey(site.id, page), () => listDrafts(site, page, signal))
}

function draftsKey(siteId: string, page: string): string {
  return `drafts of ${page} in ${siteId}`
}

function keyOf(id: string): string {
  return `request ${id}`
}
