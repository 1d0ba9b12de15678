// Brings paths of a site back to what they were, or proposes it where another person must approve.

import { api, dataOf, type Site } from '../../api/client.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { changeRequest } from '../../api/requests.js'

interface Wanted {
  backTo: string
  /** Undefined for all. */
  paths: string[] | undefined
}

export async function restore(site: Site, { backTo, paths }: Wanted, onChanged: () => void): Promise<void> {
  const body = { backTo, ...(paths && { paths }) }
  const { commit } = dataOf(await api.POST('/sites/{id}/undo', { params: { path: { id: site.id } }, body }))
  if (commit === null) return notify('It is as it was then already.')
  const undo = async () => {
    dataOf(await api.POST('/sites/{id}/undo', { params: { path: { id: site.id } }, body: { commits: [commit] } }))
    notify('It is as it was before.')
    onChanged()
  }
  notify(paths === undefined ? 'The site is as it was then.' : `${paths.join(', ')} is as it was then.`, {
    label: 'Undo',
    run: () => void undo().catch(notifyFailure),
  })
  onChanged()
}

/** Saves the same in a new change request, which waits for approval. */
export async function proposeRestore(site: Site, { backTo, paths }: Wanted, title: string): Promise<void> {
  const params = { path: { id: site.id }, query: { changeRequest: 'new' } }
  const answer = await api.POST('/sites/{id}/undo', { params, body: { backTo, ...(paths && { paths }) } })
  const { changed } = dataOf(answer)
  const request = answer.data?.changeRequest
  if (!changed || request === undefined) return notify('It is as it was then already.')
  await changeRequest(request, { state: 'review', title })
  notify('Proposed. It changes for visitors when somebody approves and publishes it.')
}
