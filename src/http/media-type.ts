// The media type of a file, by the end of its name.

import { extname } from 'node:path'
import { contentType } from 'mime-types'

/** A `Content-Type` value, with a charset for text; bytes without a meaning for an unknown ending. */
export function mediaTypeOf(treePath: string): string {
  return contentType(extname(treePath)) || 'application/octet-stream'
}
