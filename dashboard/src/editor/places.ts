// Places in an edited text: each keeps its position while the text around it changes.

import { isolateHistory } from '@codemirror/commands'
import { EditorView } from '@codemirror/view'
import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

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

/** The end of the text is parsed within this time, or guessed. */
const PARSE_MS = 500
/** Elements before the body where its tags are left out. */
const BEFORE_BODY = new Set(['head', 'title', 'meta', 'link', 'base'])

interface ImagePlace {
  at: number
  /** The text that follows the image. */
  after: string
}

/**
 * Chooses where an image belongs in a page: at the cursor. If that is outside of the body, at the end of the content. `cursor` is undefined
 * if nobody has placed it.
 */
function imagePlace(state: EditorState, cursor: number | undefined): ImagePlace {
  const { start, end, main } = contentOf(state)
  if (cursor !== undefined && cursor >= start && cursor <= end) return { at: cursor, after: '' }
  const at = main ?? end
  const line = state.doc.lineAt(at)
  // A closing tag on a line of its own stays there.
  const isAlone = at < line.to && state.sliceDoc(line.from, at).trim() === ''
  return isAlone ? { at: line.from, after: '\n' } : { at, after: '' }
}

/** Returns where the content of the body starts and ends, and where that of `<main>` ends. */
function contentOf(state: EditorState): { start: number; end: number; main: number | undefined } {
  const tree = ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state)
  let [start, end] = [0, state.doc.length]
  let main: number | undefined
  let isBody = false
  tree.iterate({
    enter: ({ node }) => {
      if (node.name === 'DoctypeDecl') start = Math.max(start, node.to)
      if (node.name !== 'Element') return
      const opening = node.firstChild
      const name = opening?.getChild('TagName')
      const tag = name ? state.sliceDoc(name.from, name.to).toLowerCase() : ''
      const ending = node.getChild('CloseTag')?.from ?? node.to
      if (tag === 'html') {
        start = Math.max(start, opening?.to ?? 0)
        end = ending
      } else if (tag === 'body') {
        isBody = true
        start = opening?.to ?? node.from
        end = ending
      } else if (tag === 'main') main ??= ending
      else if (!isBody && BEFORE_BODY.has(tag)) start = Math.max(start, node.to)
    },
  })
  return { start, end, main }
}
