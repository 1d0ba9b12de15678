// Takes changes of a site back: the dialog, and Undo afterwards.

import { useState } from 'preact/hooks'
import { wordsOfChange } from '../../../../src/model/change-words.js'
import { api, type Commit, dataOf } from '../../api/client.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import type { OneSite } from './change-details.js'
import { TakeBack } from './take-back.js'

/** `onChanged` is called after each change of the site. */
export function useTakeBack(site: OneSite, onChanged: () => void) {
  const [target, setTarget] = useState<Commit>()
  const undo = async (made: Commit) => {
    try {
      dataOf(await api.POST('/sites/{id}/revert', { params: { path: { id: site.id } }, body: { commit: made.id } }))
      onChanged()
      notify('It is as it was before.')
    } catch (error) {
      notifyFailure(error)
    }
  }
  const takenBack = ({ message }: Commit, made: Commit) => {
    setTarget(undefined)
    onChanged()
    if (made.changed === false) notify('There was nothing left to take back.')
    else notify(`Taken back: ${wordsOfChange(message)}.`, { label: 'Undo', run: () => void undo(made) })
  }
  const dialog = target && (
    <TakeBack
      site={site}
      commit={target}
      onClose={() => setTarget(undefined)}
      onDone={(made) => takenBack(target, made)}
    />
  )
  return { takeBack: setTarget, dialog }
}
