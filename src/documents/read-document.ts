// An HTML document, or parts of it, as an agent or a person wants to read it. A function of its input alone: the service runs it as a
// task.

import { ServiceError } from '../model/errors.js'
import { HIGHEST_HTML_BYTES } from '../model/limits.js'
import { lineAt, lineStartsOf } from '../model/text-parts.js'
import { toMarkdown, toText } from './convert.js'
import { outlineOf, sectionOf } from './outline.js'
import { selectElements, type Span } from './select-elements.js'
import { findPattern, findText, type Matches, showMatches } from '../texts/find-places.js'

export type Form = 'html' | 'text' | 'markdown' | 'outline'

export interface DocumentWishes {
  as: Form
  /** The section below the heading with this text, or `#id`. */
  heading?: string | undefined
  /** The elements that this CSS selector selects. */
  selector?: string | undefined
  /** In place of the content, the places of this text in it. */
  find?: string | undefined
  /** The same of a pattern that runs in linear time. */
  pattern?: string | undefined
}

export interface ReadDocument {
  content: string
  /** Where the parts are in the document, by lines from 1; the first 100, where parts were wanted. */
  found?: { from: number; to: number }[]
  /** Present where a text or pattern was to be found; `content` is then empty. */
  matches?: Matches
}

const MAX_FOUND = 100

const FORMS: Readonly<Record<Form, (html: string) => string>> = {
  html: (html) => html,
  text: toText,
  markdown: toMarkdown,
  outline: outlineOf,
}

/** Throws `part_not_found`, and `invalid_query` for what is no selector or no pattern. */
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

/** Elements inside each other are each in the content: of a page it may be many times as long. */
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
