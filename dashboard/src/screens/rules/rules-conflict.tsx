// The dialog for rules that somebody else published or deleted after the draft was started: both texts, and the choices.

import { Comparison } from '../../editor/editor.js'
import { Dialog } from '../../parts/dialog.js'
import type { RulesFile } from './published-rules.js'
import type { RulesDraft } from './use-rules-draft.js'

export function RulesConflict({ draft: { text, theirs, ...draft }, file }: { draft: RulesDraft; file: RulesFile }) {
  if (theirs === undefined) return null
  const what = theirs.oid === null ? 'deleted' : 'changed'
  return (
    <Dialog title={`Somebody else ${what} ${file}`} onClose={draft.closeConflict} wide>
      <p>The published text is on the left, yours on the right.</p>
      <Comparison before={theirs.text} after={text} layout="side by side" />
      <div class="bar">
        <button type="button" class="main" onClick={draft.takeBoth}>
          Put both into the editor
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
