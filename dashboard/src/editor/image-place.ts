// Chooses where an image belongs in a page: at the cursor, or at the end of the content where the cursor is outside of the body.

import { ensureSyntaxTree, syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

/** The end of the text is parsed within this time, or guessed. */
const PARSE_MS = 500
/** Elements before the body where its tags are left out. */
const BEFORE_BODY = new Set(['head', 'title', 'meta', 'link', 'base'])

export interface ImagePlace {
  at: number
  /** The text that follows the image. */
  after: string
}

/** `cursor` is undefined if nobody has placed it. */
export function imagePlace(state: EditorState, cursor: number | undefined): ImagePlace {
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
