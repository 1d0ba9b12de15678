// Places in an edited text: each keeps its position while the text around it changes.

import { isolateHistory } from '@codemirror/commands'
import { EditorView } from '@codemirror/view'

export interface Place {
  /** Inserts the text there, as one undo step, and puts the cursor `cursor` characters after its start. */
  insert(text: string, cursor: number): void
  /** Forgets the place. */
  leave(): void
}

export class Places {
  readonly #positions = new Set<{ at: number }>()

  /** Give this to the editor. */
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
