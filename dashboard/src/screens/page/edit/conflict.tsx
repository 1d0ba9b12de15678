// The dialog for a page in which somebody else changed the same lines since the draft began. It shows both texts, and the choices.

import { Comparison } from '../../../editor/editor.js'
import { formatAge } from '../../../format.js'
import { Button } from '../../../parts/controls/button.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import type { Draft } from '../use-page-draft.js'

export function Conflict({ draft: { html, conflict, ...draft } }: { draft: Draft }) {
  if (conflict === undefined) return null
  const { theirs, authors, both } = conflict
  return (
    <Dialog title="The same lines were changed meanwhile" onClose={draft.closeConflict} wide>
      <p>
        Version {theirs.version.number} by {authors} was {draft.isOfRequest ? 'saved' : 'published'}{' '}
        {formatAge(theirs.updatedAt)}. {draft.isOfRequest ? 'That text' : 'The live text'} is on the left, yours on the
        right. {both !== undefined && 'Put both into the editor to choose at each such place: their other lines stay.'}
      </p>
      <Comparison before={theirs.html ?? ''} after={html} layout="side by side" />
      <div class="bar">
        {both !== undefined && (
          <Button kind="main" autofocus onClick={draft.takeBoth}>
            Put both into the editor
          </Button>
        )}
        <Button onClick={() => void draft.publishOverTheirs()}>
          {draft.isOfRequest ? 'Save mine over it' : 'Publish mine over it'}
        </Button>
        <Button onClick={draft.takeTheirs}>Take theirs</Button>
      </div>
    </Dialog>
  )
}
