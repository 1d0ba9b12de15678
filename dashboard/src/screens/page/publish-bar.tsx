// The row for publishing a draft: a note, the state of the draft, and the buttons.

import { bothIn } from '../../editor/both-texts.js'
import { Form } from '../../parts/form.js'
import type { Draft } from './use-page-draft.js'

export function PublishBar({ draft }: { draft: Draft }) {
  return (
    <Form class="bar" onSubmit={draft.publish}>
      <label class="grow">
        <span class="unseen">Note for the history</span>
        <input
          placeholder="Note for the history (optional)"
          value={draft.note}
          onInput={(event) => draft.setNote(event.currentTarget.value)}
        />
      </label>
      <span class="hint" role="status">
        {stateOf(draft)}
      </span>
      {draft.isChanged && (
        <button type="button" onClick={draft.discard}>
          Discard
        </button>
      )}
      <button type="submit" class="main" disabled={!draft.isChanged || draft.markedLine !== undefined}>
        Publish
      </button>
    </Form>
  )
}

function stateOf({ isChanged, markedLine }: Draft): string {
  if (markedLine !== undefined) return bothIn(markedLine)
  return isChanged ? 'Not published yet; kept in this browser' : 'As published'
}
