// Opens a site at an earlier commit, on a separate host, by a new link: the site's past need not be public.

import { api, dataOf, type Site } from '../../api/client.js'
import { Allowed } from '../rights/allowed.js'
import { OpenInTab } from './open-in-tab.js'

/** Tells what the link allows. */
const LINK_HINT =
  'Makes a link. Everyone who has its URL can look, for a day. What the site has removed since is not shown.'

interface OpenPastProps {
  site: Site
  commit: string
  label: string
}

export function OpenPast({ site, commit, label }: OpenPastProps) {
  return (
    <Allowed to="write">
      <OpenInTab find={() => linkToPast(site, commit)} label={label} title={LINK_HINT} />
    </Allowed>
  )
}

/** Makes a link to the site as it was, and returns its URL. */
export async function linkToPast(site: Pick<Site, 'id'>, commit: string): Promise<string> {
  const params = { path: { id: site.id } }
  return dataOf(await api.POST('/sites/{id}/links', { params, body: { commit } })).url
}
