// Routes within the dashboard: the path selects the screen, links are real links, and Back and Forward work.

import { useSyncExternalStore } from 'preact/compat'
import { saveScroll } from './scroll-memory.js'

export type Parameters = Readonly<Record<string, string>>

const NAVIGATED = 'navigated'

/** Opens a path of the dashboard. */
export function navigate(path: string, { replace = false } = {}): void {
  if (replace) history.replaceState(history.state, '', path)
  else {
    saveScroll()
    history.pushState(null, '', path)
    scrollTo(0, 0)
  }
  dispatchEvent(new Event(NAVIGATED))
}

/** Changes query parameters in the address without a new history entry; '' removes one. */
export function replaceQuery(changes: Readonly<Record<string, string>>): void {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name)
    else query.set(name, value)
  }
  navigate(location.pathname + (query.size === 0 ? '' : `?${query}`), { replace: true })
}

export function usePath(): string {
  return useSyncExternalStore(subscribe, () => location.pathname)
}

export function useQuery(): URLSearchParams {
  return new URLSearchParams(useSyncExternalStore(subscribe, () => location.search))
}

/** Returns the decoded parameters of a pattern such as `/sites/:slug`; undefined if the path does not match. */
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

/** Makes a plain click on a dashboard link change the screen without reloading the document. */
export function followLinks(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a')
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (link == null || !isPlain || link.target !== '' || link.hasAttribute('download')) return
  const url = new URL(link.href)
  if (url.origin !== location.origin || url.hash !== '') return
  event.preventDefault()
  navigate(url.pathname + url.search)
}

function subscribe(onChange: () => void): () => void {
  addEventListener('popstate', onChange)
  addEventListener(NAVIGATED, onChange)
  return () => {
    removeEventListener('popstate', onChange)
    removeEventListener(NAVIGATED, onChange)
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
