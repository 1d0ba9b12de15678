// Reads an HTML document, or parts of it, in a form for agents and people. It depends on its input alone: the service runs it as a task.

import { selectAll } from 'css-select'
import { parseDocument } from 'htmlparser2'
import { ServiceError } from '../../model/errors.js'
import { HIGHEST_HTML_BYTES } from '../../model/limits.js'
import { lineAt, lineStartsOf, partOf, type PartWishes, type TextPart } from '../../model/text-parts.js'
import { toMarkdown, toText } from './convert.js'
import { outlineOf, sectionOf } from './outline.js'
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

export interface ReadPart extends Pick<ReadDocument, 'found' | 'matches'>, Omit<TextPart, 'text'> {
  /** The text as a JSON string, quotes included, in UTF-8. */
  json: Uint8Array
}

/** A range of the source. */
interface Span {
  start: number
  end: number
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

/**
 * Returns the ranges of the elements that a selector selects, in the order of the document, without those inside another one. Its time has
 * no useful bound: run it as a task. Throws `invalid_query` for an invalid selector.
 */
function selectElements(html: string, selector: string): Span[] {
  const document = parseDocument(html, { withStartIndices: true, withEndIndices: true })
  const spans: Span[] = []
  let last = -1
  for (const { startIndex, endIndex } of select(selector, document)) {
    if (startIndex === null || endIndex === null || startIndex < last) continue
    last = endIndex + 1
    spans.push({ start: startIndex, end: last })
  }
  return spans
}

function select(selector: string, document: ReturnType<typeof parseDocument>) {
  try {
    return selectAll(selector, document)
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new ServiceError('invalid_query', `The selector cannot be read: ${(error as Error).message}.`)
  }
}

/** Reads a part of a document, or all of it, as the JSON of an answer. Throws as `readDocument` does. */
export function readPart(html: string, wishes: DocumentWishes, part: PartWishes): ReadPart {
  const { content, found, matches } = readDocument(html, wishes)
  const { text, ...ranges } = partOf(content, part)
  return { ...ranges, ...(found && { found }), ...(matches && { matches }), json: Buffer.from(JSON.stringify(text)) }
}
