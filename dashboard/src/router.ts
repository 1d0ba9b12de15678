// Addresses within the dashboard: the path decides the screen, links are real links, and back and forward work.

import { useSyncExternalStore } from 'preact/compat'

export type Parameters = Readonly<Record<string, string>>

const CHANGED = 'addresschanged'

/** Goes to a path of the dashboard. */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', path)
  else history.pushState(null, '', path)
  scrollTo(0, 0)
  dispatchEvent(new Event(CHANGED))
}

/** Path and query of the screen that is shown. */
export function useAddress(): string {
  return useSyncExternalStore(subscribe, () => location.pathname + location.search)
}

/** The values of a pattern such as `/sites/:slug`, decoded; undefined where the path is another. */
export function matchPath(pattern: string, path: string): Parameters | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const found: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? ''
    if (part.startsWith(':')) found[part.slice(1)] = decode(value)
    else if (part !== value) return undefined
  }
  return found
}

/** Lets plain clicks on links of the dashboard change the screen without loading the page again. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a')
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (link == null || !isPlain || link.target !== '' || link.hasAttribute('download')) return
  const url = new URL(link.href)
  if (url.origin !== location.origin || /^\/(api|docs|openapi\.json)\b/.test(url.pathname)) return
  event.preventDefault()
  navigate(url.pathname + url.search)
}

function subscribe(onChange: () => void): () => void {
  addEventListener('popstate', onChange)
  addEventListener(CHANGED, onChange)
  return () => {
    removeEventListener('popstate', onChange)
    removeEventListener(CHANGED, onChange)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
