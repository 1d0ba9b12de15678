// Reads an HTML document, or parts of it, in a form for agents and people. It depends on its input alone: the service runs it as a task.

import { ServiceError } from '../../model/errors.js'
import { HIGHEST_HTML_BYTES } from '../../model/limits.js'
import { lineAt, lineStartsOf } from '../../model/text-parts.js'
import { toMarkdown, toText } from './convert.js'
import { outlineOf, sectionOf } from './outline.js'
import { selectElements, type Span } from './select-elements.js'
import { findPattern, findText, type Matches, showMatches } from '../find-places.js'

export type Form = 'html' | 'text' | 'markdown' | 'outline'

export interface DocumentWishes {
  as: Form
  /** The section below the heading with this text, or `#id`. */
  heading?: string | undefined
  /** The elements that this CSS selector selects. */
  selector?: string | undefined
  /** Asks for the places of this text instead of the content. */
  find?: string | undefined
  /** Asks for the places of a pattern that runs in linear time. */
  pattern?: string | undefined
}

export interface ReadDocument {
  content: string
  /** Lines of the requested parts in the document, from 1; the first 100. */
  found?: { from: number; to: number }[]
  /** Present if a text or pattern was searched; `content` is then empty. */
  matches?: Matches
}

const MAX_FOUND = 100

const FORMS: Readonly<Record<Form, (html: string) => string>> = {
  html: (html) => html,
  text: toText,
  markdown: toMarkdown,
  outline: outlineOf,
}

/** Throws `part_not_found`, and `invalid_query` for an invalid selector or pattern. */
export function readDocument(html: string, wishes: DocumentWishes): ReadDocument {
  const { as, heading, selector, find, pattern } = wishes
  const form = FORMS[as]
  if (find !== undefined || pattern !== undefined) return { content: '', matches: findIn(form(html), find, pattern) }
  if (heading === undefined && selector === undefined) return { content: bounded(form(html)) }
  const spans = heading === undefined ? selectElements(html, selector ?? '') : sectionSpans(html, heading)
  if (spans.length === 0) throw new ServiceError('part_not_found', 'The selector selects nothing in this page.')
  const starts = lineStartsOf(html)
  const found = spans
    .slice(0, MAX_FOUND)
    .map(({ start, end }) => ({ from: lineAt(starts, start), to: lineAt(starts, Math.max(start, end - 1)) }))
  const parts = spans.map(({ start, end }) => form(html.slice(start, end)).trimEnd())
  return {
    content: bounded(parts.map((part) => `${part}\n`).join(as === 'html' || as === 'outline' ? '' : '\n')),
    found,
  }
}

/** Refuses content that is too long. Nested elements are each in the content, so it may be many times as long as the page. */
function bounded(content: string): string {
  if (content.length <= HIGHEST_HTML_BYTES) return content
  throw new ServiceError('too_costly', 'The content is too long in this form: read fewer of the elements.')
}

function findIn(text: string, find: string | undefined, pattern = ''): Matches {
  const found = find === undefined ? findPattern(text, pattern) : findText(text, find)
  if (found !== undefined) return showMatches(text, found)
  throw new ServiceError('invalid_query', 'The pattern is not valid, or does not run in linear time.')
}

function sectionSpans(html: string, heading: string): Span[] {
  const section = sectionOf(html, heading)
  if (section !== undefined) return [section]
  throw new ServiceError('part_not_found', 'The page has no such heading: the form "outline" lists those that it has.')
}
