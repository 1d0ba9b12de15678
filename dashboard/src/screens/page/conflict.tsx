// The dialog for a page that somebody else published after the draft was begun: both texts, and what to do.

import { Comparison } from '../../editor/editor.js'
import { formatAge } from '../../format.js'
import { Dialog } from '../../parts/dialog.js'
import type { Draft } from './use-page-draft.js'

export function Conflict({ draft: { html, theirs, publishOverTheirs, takeTheirs, closeConflict } }: { draft: Draft }) {
  if (theirs === undefined) return null
  return (
    <Dialog title="Somebody else published this page" onClose={closeConflict} wide>
      <p>
        Version {theirs.version.number} was published {formatAge(theirs.updatedAt)}. The live text is on the left, yours
        on the right. Close this to work what you need of theirs into yours.
      </p>
      <Comparison before={theirs.html ?? ''} after={html} layout="side by side" />
      <div class="bar">
        <button type="button" class="main" onClick={() => void publishOverTheirs()}>
          Publish mine over it
        </button>
        <button type="button" onClick={takeTheirs}>
          Take theirs
        </button>
      </div>
    </Dialog>
  )
}
