// Finds the elements of an HTML document that a CSS selector selects, as ranges of its source.

import { selectAll } from 'css-select'
import { parseDocument } from 'htmlparser2'
import { ServiceError } from '../../model/errors.js'

export interface Span {
  start: number
  end: number
}

/**
 * Returns the ranges in the order of the document, without those inside another one. Its time has no useful bound: run it as a task. Throws
 * `invalid_query` for an invalid selector.
 */
export function selectElements(html: string, selector: string): Span[] {
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
