// Opens a site at an earlier commit, on a separate host, by a new link: the site's past need not be public.

import { api, dataOf, type Site } from '../api/client.js'
import { Allowed } from './allowed.js'
import { OpenInTab } from './open-in-tab.js'

/** Tells what the link allows. */
export const LINK_HINT =
  'Makes a link. Everyone who has its URL can look, for a day. What the site has removed since is not shown.'

interface OpenPastProps {
  site: Site
  commit: string
  label: string
}

export function OpenPast({ site, commit, label }: OpenPastProps) {
  const find = async () => {
    const params = { path: { id: site.id } }
    return dataOf(await api.POST('/sites/{id}/links', { params, body: { commit } })).url
  }
  return (
    <Allowed to="write">
      <OpenInTab find={find} label={label} title={LINK_HINT} />
    </Allowed>
  )
}
