// The dialog that takes one change of a site back.

import { wordsOfChange } from '../../../../src/model/change-words.js'
import { api, type Commit, dataOf } from '../../api/client.js'
import type { OneSite } from './change-details.js'
import { UndoDialog } from './undo-dialog.js'

interface TakeBackProps {
  site: OneSite
  commit: Pick<Commit, 'id' | 'message'>
  onClose: () => void
  /** Gets the commit that it made. */
  onDone: (made: Commit) => void
}

export function TakeBack({ site, commit, onClose, onDone }: TakeBackProps) {
  const params = { path: { id: site.id } }
  return (
    <UndoDialog
      site={site}
      commits={[commit.id]}
      title="Take this back"
      about={wordsOfChange(commit.message)}
      label="Take it back"
      nothing="There is nothing left to take back: later changes replaced all of it."
      onUndo={async (reason) => {
        onDone(dataOf(await api.POST('/sites/{id}/revert', { params, body: { commit: commit.id, ...reason } })))
      }}
      onClose={onClose}
    />
  )
}
