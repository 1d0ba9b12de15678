// The dialog for a page in which somebody else changed the same lines since the draft began: both texts, and the choices.

import { Comparison } from '../../editor/editor.js'
import { formatAge } from '../../format.js'
import { Dialog } from '../../parts/dialog.js'
import type { Draft } from './use-page-draft.js'

export function Conflict({ draft: { html, conflict, ...draft } }: { draft: Draft }) {
  if (conflict === undefined) return null
  const { theirs, authors, both } = conflict
  return (
    <Dialog title="The same lines were changed meanwhile" onClose={draft.closeConflict} wide>
      <p>
        Version {theirs.version.number} by {authors} was published {formatAge(theirs.updatedAt)}. The live text is on
        the left, yours on the right.{' '}
        {both !== undefined && 'Put both into the editor to choose at each such place: their other lines stay.'}
      </p>
      <Comparison before={theirs.html ?? ''} after={html} layout="side by side" />
      <div class="bar">
        {both !== undefined && (
          <button type="button" class="main" autofocus onClick={draft.takeBoth}>
            Put both into the editor
          </button>
        )}
        <button type="button" onClick={() => void draft.publishOverTheirs()}>
          Publish mine over it
        </button>
        <button type="button" onClick={draft.takeTheirs}>
          Take theirs
        </button>
      </div>
    </Dialog>
  )
}
