// The code editor and the comparison of two texts, made with CodeMirror. It is a large module: `editor.tsx` loads it when a
// screen first needs it.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { html } from '@codemirror/lang-html'
import { json } from '@codemirror/lang-json'
import { bracketMatching, foldGutter, StreamLanguage } from '@codemirror/language'
import { MergeView, unifiedMergeView } from '@codemirror/merge'
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { type OnFiles, takeFiles } from './given-files.js'
import { type LineMark, markedLines, markLines, showLine } from './marked-lines.js'
import { type Place, Places } from './places.js'
import { theme } from './theme.js'

export type Language = 'html' | 'json' | 'rules'

const LANGUAGES: Readonly<Record<Language, () => Extension>> = { html, json, rules: () => [rulesLanguage, markedLines] }

/**
 * Returns the shadow tree of an editor. In a shadow tree CodeMirror adds its styles as constructed style sheets, which the
 * Content-Security-Policy allows, and not as `<style>` elements, which it forbids.
 */
function shadowOf(parent: HTMLElement): ShadowRoot {
  return parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
}

export interface EditorOptions {
  parent: HTMLElement
  text: string
  label: string
  language: Language
  onChange: (text: string) => void
  /** Takes files that are pasted or dropped, unless all of them are text files. */
  onFiles?: OnFiles | undefined
}

export interface Editor {
  setText(text: string): void
  /** Marks lines, in the language `rules` only; undefined changes nothing. */
  markLines(marks: readonly LineMark[] | undefined): void
  showLine(line: number): void
  /** Returns the place for an image. */
  place(): Place
  destroy(): void
}

/** Creates the editor. Tab moves the focus out of it, so that the keyboard is never trapped. */
export function createEditor({ parent, text, label, language, onChange, onFiles }: EditorOptions): Editor {
  const root = shadowOf(parent)
  const places = new Places()
  const ends = new LineEnds(text)
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        ...shared(label, language),
        history(),
        foldGutter(),
        bracketMatching(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        places.extension,
        onFiles === undefined ? [] : takeFiles(places, onFiles),
        keymap.of([...searchKeymap, ...historyKeymap, ...defaultKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(ends.put(update.state.doc.toString()))
        }),
      ],
    }),
  })
  return {
    setText(next) {
      ends.take(next)
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } })
    },
    markLines: (marks) => marks && markLines(view, marks),
    showLine: (line) => showLine(view, line),
    place: () => places.mark(view),
    destroy: () => view.destroy(),
  }
}

export interface ComparisonOptions {
  parent: HTMLElement
  before: string
  after: string
  layout: 'side by side' | 'inline'
}

/** Shows two texts, read-only, with their differences. Returns a function that removes them. */
export function createComparison({ parent, before, after, layout }: ComparisonOptions): () => void {
  const root = shadowOf(parent)
  const fixed = [...shared('', 'html'), EditorState.readOnly.of(true)]
  if (layout === 'inline') {
    const view = new EditorView({
      parent: root,
      root,
      doc: after,
      extensions: [
        ...fixed,
        labelled('Both versions'),
        unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: {} }),
      ],
    })
    return () => view.destroy()
  }
  const view = new MergeView({
    parent: root,
    root,
    a: { doc: before, extensions: [...fixed, labelled('Earlier version')] },
    b: { doc: after, extensions: [...fixed, labelled('Later version')] },
    collapseUnchanged: {},
  })
  return () => view.destroy()
}

function shared(label: string, language: Language): Extension[] {
  return [
    lineNumbers(),
    EditorView.lineWrapping,
    LANGUAGES[language](),
    theme,
    ...(label === '' ? [] : [labelled(label)]),
  ]
}

function labelled(label: string): Extension {
  // The element is focusable anyway; the attribute tells tools that look for one.
  return EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' })
}

/** Colours `_redirects` and `_headers`: comments, statuses, field names. Only the service decides the meaning of a line. */
const rulesLanguage = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null
    if (stream.match(/^#.*/)) return 'comment'
    if (stream.match(/^\d{3}!?(?=\s|$)/)) return 'number'
    if (stream.match(/^(?:! *)?[A-Za-z][\w-]*(?=\s*:)/)) return 'propertyName'
    if (stream.match(/^(?:\/|https?:)\S*/)) return 'string'
    stream.match(/^\S+/)
    return null
  },
})

/** Keeps the line ends of a text that is edited: CodeMirror has only line feeds. Without it, one edit would change every line. */
class LineEnds {
  #hasReturns = false

  constructor(text: string) {
    this.take(text)
  }

  /** Takes a new text. If its line ends differ, all become line feeds once it is edited. */
  take(text: string): void {
    this.#hasReturns = text.includes('\r\n') && !/\r(?!\n)|(?<!\r)\n/.test(text)
  }

  /** Returns the edited text with the line ends of the text that was taken. */
  put(edited: string): string {
    return this.#hasReturns ? edited.replaceAll('\n', '\r\n') : edited
  }
}
