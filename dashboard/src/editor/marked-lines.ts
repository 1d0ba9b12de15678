// Marks wrong lines: underlines them, and puts a sign with the message before them.

import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { EditorSelection } from '@codemirror/state'
import { type EditorView, keymap } from '@codemirror/view'

export interface LineMark {
  /** The first is 1. */
  line: number
  message: string
  severity: 'error' | 'warning'
}

export const markedLines = [lintGutter(), keymap.of(lintKeymap)]

/** Replaces the marks. Ignores lines that the text no longer has. */
export function markLines(view: EditorView, marks: readonly LineMark[]): void {
  const { doc } = view.state
  const found = marks.flatMap(({ line, message, severity }): Diagnostic[] => {
    if (line > doc.lines) return []
    const { from, to } = doc.line(line)
    return [{ from, to, severity, message }]
  })
  view.dispatch(setDiagnostics(view.state, found))
}

/** Puts the cursor at the start of the line. */
export function showLine(view: EditorView, line: number): void {
  const { doc } = view.state
  const { from } = doc.line(Math.min(line, doc.lines))
  view.dispatch({ selection: EditorSelection.cursor(from), scrollIntoView: true })
  view.focus()
}
