// Opens a site as a commit left it, on a host of its own, by a link made for it: the site's past need not be public.

import type { ComponentChildren } from 'preact'
import { api, dataOf, type Site } from '../api/client.js'
import { notifyFailure } from './notices.js'

interface OpenPastProps {
  site: Site
  commit: string
  /** The path that is opened; the root unless given. */
  path?: string
  label: string
  /** What reads as a link to it; a button unless given. */
  children?: ComponentChildren
}

export function OpenPast({ site, commit, path = '/', label, children }: OpenPastProps) {
  const open = async () => {
    // A browser lets only the click itself open a tab; its address is known later.
    const tab = globalThis.open('about:blank', '_blank')
    try {
      const url = await pastUrl(site, commit, path)
      if (tab === null) throw new Error('The browser does not allow this page to open a tab.')
      tab.opener = null
      tab.location.replace(url)
    } catch (error) {
      tab?.close()
      notifyFailure(error)
    }
  }
  return (
    <button type="button" class={children === undefined ? '' : 'link'} aria-label={label} onClick={() => void open()}>
      {children ?? 'Open ↗'}
    </button>
  )
}

/** Everybody who has the URL can open it, for a day. */
async function pastUrl(site: Site, commit: string, path: string): Promise<string> {
  const params = { path: { id: site.id } }
  const link = dataOf(await api.POST('/sites/{id}/links', { params, body: { commit } }))
  return new URL(`.${path}`, link.url).href
}
