// The look of the editors: the colours of the page, in light and dark.

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const field = {
  font: 'inherit',
  color: 'var(--text)',
  backgroundColor: 'var(--panel)',
  backgroundImage: 'none',
  border: '1px solid var(--line)',
  borderRadius: '6px',
  padding: '0.2rem 0.5rem',
}

export const theme = [
  EditorView.theme({
    '&': { backgroundColor: 'var(--panel)', color: 'var(--text)', height: '100%', fontSize: '14px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
    '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--muted)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    // The frame around gutter and text shows the focus: `.editor:focus-within`.
    '&.cm-focused': { outline: 'none' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--selection)',
    },
    '.cm-panels': { backgroundColor: 'var(--hover)', color: 'var(--text)', borderColor: 'var(--line)' },
    '.cm-panel.cm-search': { padding: '0.5rem', fontFamily: 'system-ui, sans-serif' },
    '.cm-panel.cm-search input:not([type=checkbox]), .cm-panel.cm-search button': field,
    '.cm-panel.cm-search [name=close]': { border: 'none', backgroundColor: 'transparent', color: 'var(--text)' },
    '.cm-tooltip': { backgroundColor: 'var(--panel)', color: 'var(--text)', border: '1px solid var(--line)' },
    '.cm-diagnostic': { fontFamily: 'system-ui, sans-serif', whiteSpace: 'normal', maxWidth: '40ch' },
    '.cm-collapsedLines': {
      background: 'var(--hover)',
      color: 'var(--muted)',
      borderBlock: '1px solid var(--line)',
    },
  }),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: tags.tagName, color: 'var(--code-tag)' },
      { tag: [tags.attributeName, tags.propertyName], color: 'var(--code-name)' },
      { tag: [tags.attributeValue, tags.string], color: 'var(--code-string)' },
      { tag: [tags.number, tags.bool, tags.null], color: 'var(--code-number)' },
      { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
      { tag: tags.keyword, color: 'var(--code-tag)' },
    ]),
  ),
]
