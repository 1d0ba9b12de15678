// How the editors look: the page's own colours, in light and dark.

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

export const theme = [
  EditorView.theme({
    '&': { backgroundColor: 'var(--panel)', color: 'var(--text)', height: '100%', fontSize: '14px' },
    '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
    '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--muted)', border: 'none' },
    '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
    '.cm-cursor': { borderLeftColor: 'var(--text)' },
    '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
    '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
      backgroundColor: 'var(--selection)',
    },
    '.cm-panels': { backgroundColor: 'var(--hover)', color: 'var(--text)' },
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
