// The dialog that undoes a run of an agent, at once.

import { type AgentRun, api, dataOf } from '../../api/client.js'
import { formatCount, nameOfSite } from '../../format.js'
import { UndoDialog } from '../history/undo-dialog.js'
import { wordsOfRun } from './run-words.js'

interface UndoRunProps {
  run: AgentRun
  onClose: () => void
  onDone: () => void
}

/** The service lists as many commits of a run as it undoes at once. */
export function UndoRun({ run, onClose, onDone }: UndoRunProps) {
  const commits = run.commits.map(({ id }) => id)
  const params = { path: { id: run.site.id } }
  const older = run.commitCount - commits.length
  return (
    <UndoDialog
      site={run.site}
      commits={commits}
      title={`Undo the work of ${run.maker.name}`}
      about={`${run.maker.name} ${wordsOfRun(run)} in ${nameOfSite(run.site)}.${older > 0 ? ` Its ${formatCount(older, 'oldest change')} stay.` : ''}`}
      label="Undo it"
      nothing="There is nothing left to undo: later changes replaced all of it."
      onUndo={async (reason) => {
        dataOf(await api.POST('/sites/{id}/undo', { params, body: { commits, ...reason } }))
        onDone()
      }}
      onClose={onClose}
    />
  )
}
