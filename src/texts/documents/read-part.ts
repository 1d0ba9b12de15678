// Reads a part of a document, or all of it, as the JSON of an answer. For a long document this takes tens of milliseconds, so the service
// runs it as a task.

import { type PartWishes, partOf, type TextPart } from '../../model/text-parts.js'
import { type DocumentWishes, type ReadDocument, readDocument } from './read-document.js'

export interface ReadPart extends Pick<ReadDocument, 'found' | 'matches'>, Omit<TextPart, 'text'> {
  /** The text as a JSON string, quotes included, in UTF-8. */
  json: Uint8Array
}

/** Throws as `readDocument` does. */
export function readPart(html: string, wishes: DocumentWishes, part: PartWishes): ReadPart {
  const { content, found, matches } = readDocument(html, wishes)
  const { text, ...ranges } = partOf(content, part)
  return { ...ranges, ...(found && { found }), ...(matches && { matches }), json: Buffer.from(JSON.stringify(text)) }
}
