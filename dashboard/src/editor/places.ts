// Places in a text that is being edited: each stays where it is while the text around it changes.

import { isolateHistory } from '@codemirror/commands'
import { EditorView } from '@codemirror/view'

export interface Place {
  /** Inserts the text there, as one step of undo, and puts the cursor so many characters behind its start. */
  insert(text: string, cursor: number): void
  /** Forgets the place. */
  leave(): void
}

export class Places {
  readonly #positions = new Set<{ at: number }>()

  /** To be given to the editor. */
  readonly extension = EditorView.updateListener.of(({ changes }) => {
    for (const position of this.#positions) position.at = changes.mapPos(position.at)
  })

  mark(view: EditorView, at: number): Place {
    const position = { at }
    this.#positions.add(position)
    const leave = () => void this.#positions.delete(position)
    return {
      leave,
      insert(text, cursor) {
        leave()
        view.dispatch({
          changes: { from: position.at, insert: text },
          selection: { anchor: position.at + cursor },
          annotations: isolateHistory.of('full'),
          scrollIntoView: true,
          userEvent: 'input.paste',
        })
        view.focus()
      },
    }
  }
}
