// Finds the site that an address names.

import { askAhead, takeAhead } from '../api/ahead.js'
import { api, type Site, sliceOf } from '../api/client.js'
import { keep, readKept } from '../browser/storage.js'

/** Asks before the person is known. */
export function askForSite(slug: string): void {
  askAhead(siteKey(slug), () => findSite(slug, null))
}

/** Returns null where the person sees no such site. */
export async function openSite(slug: string, signal: AbortSignal): Promise<Site | null> {
  return await takeAhead(siteKey(slug), () => findSite(slug, signal))
}

export function siteKey(slug: string): string {
  return `site ${slug}`
}

/** Returns the id that the site had when this browser saw it last. It serves to ask ahead only. */
export function rememberedId(slug: string): string | null {
  return readKept(memoryKey(slug))
}

async function findSite(slug: string, signal: AbortSignal | null): Promise<Site | null> {
  const { entries } = sliceOf(await api.GET('/sites', { params: { query: { slug } }, signal }))
  const [site = null] = entries
  if (site !== null) keep(memoryKey(slug), site.id)
  return site
}

function memoryKey(slug: string): string {
  return `id of ${slug}`
}
