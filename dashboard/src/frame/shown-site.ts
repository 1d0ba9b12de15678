// Remembers the site that a screen shows, so that the header can name it.

import { useSyncExternalStore } from 'preact/compat'
import type { Site } from '../api/client.js'

const changes = new EventTarget()
let shown: Site | undefined

export function showSite(site: Site): void {
  shown = site
  changes.dispatchEvent(new Event('changed'))
}

/** Returns the site with this slug once a screen shows it. */
export function useShownSite(slug: string): Site | undefined {
  const site = useSyncExternalStore(subscribe, () => shown)
  return site?.slug === slug ? site : undefined
}

function subscribe(onChange: () => void): () => void {
  changes.addEventListener('changed', onChange)
  return () => changes.removeEventListener('changed', onChange)
}
