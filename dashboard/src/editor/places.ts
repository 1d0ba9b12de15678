// Places in an edited text: each keeps its position while the text around it changes.

import { isolateHistory } from '@codemirror/commands'
import { EditorView } from '@codemirror/view'
import { imagePlace } from './image-place.js'

export interface Place {
  /** Inserts the text there, as one undo step, and puts the cursor `cursor` characters after its start. */
  insert(text: string, cursor: number): void
  /** Forgets the place. */
  leave(): void
}

export class Places {
  readonly #positions = new Set<{ at: number }>()
  #isCursorPlaced = false

  /** Give this to the editor. */
  readonly extension = EditorView.updateListener.of(({ changes, view }) => {
    if (view.hasFocus) this.#isCursorPlaced = true
    for (const position of this.#positions) position.at = changes.mapPos(position.at)
  })

  /** Marks a place for images: `wanted`, by default the cursor, if that is in the body of the page. */
  mark(view: EditorView, wanted = this.#isCursorPlaced ? view.state.selection.main.head : undefined): Place {
    const { at, after } = imagePlace(view.state, wanted)
    const position = { at }
    this.#positions.add(position)
    const leave = () => void this.#positions.delete(position)
    return {
      leave,
      insert(text, cursor) {
        leave()
        view.dispatch({
          changes: { from: position.at, insert: text + after },
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
