// Opens a site at an earlier commit, on a separate host, by a new link: the site's past need not be public.

import type { ComponentChildren } from 'preact'
import { api, dataOf, type Site } from '../api/client.js'
import { notifyFailure } from './notices.js'

interface OpenPastProps {
  site: Site
  commit: string
  /** The path to open; default: the root. */
  path?: string
  label: string
  /** The text of a link; without it, a button is shown. */
  children?: ComponentChildren
}

export function OpenPast({ site, commit, path = '/', label, children }: OpenPastProps) {
  const open = async () => {
    // A browser lets only the click itself open a tab; the address is known later.
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

/** Makes a link. Everyone who has the URL can open it, for a day. */
async function pastUrl(site: Site, commit: string, path: string): Promise<string> {
  const params = { path: { id: site.id } }
  const link = dataOf(await api.POST('/sites/{id}/links', { params, body: { commit } }))
  return new URL(`.${path}`, link.url).href
}
