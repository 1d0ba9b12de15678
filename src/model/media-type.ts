// The media type of a file, by its extension.

import { extname } from 'node:path'
import { contentType } from 'mime-types'

/** Returns a `Content-Type` value, with a charset for text; `application/octet-stream` for an unknown extension. */
export function mediaTypeOf(treePath: string): string {
  return contentType(extname(treePath)) || 'application/octet-stream'
}
