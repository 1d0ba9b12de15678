// The dialog for a page that somebody else published after the draft was started: both texts, and the choices.

import { Comparison } from '../../editor/editor.js'
import { formatAge } from '../../format.js'
import { Dialog } from '../../parts/dialog.js'
import type { Draft } from './use-page-draft.js'

export function Conflict({ draft: { html, theirs, ...draft } }: { draft: Draft }) {
  if (theirs === undefined) return null
  return (
    <Dialog title="Somebody else published this page" onClose={draft.closeConflict} wide>
      <p>
        Version {theirs.version.number} was published {formatAge(theirs.updatedAt)}. The live text is on the left, yours
        on the right.
      </p>
      <Comparison before={theirs.html ?? ''} after={html} layout="side by side" />
      <div class="bar">
        <button type="button" class="main" onClick={draft.mergeByHand}>
          Merge by hand
        </button>
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
