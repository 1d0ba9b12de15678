// The media type of a file, by its extension.

import { extname } from 'node:path'
import { contentType } from 'mime-types'

const TEXT = 'text/plain; charset=utf-8'

/** Types that a browser takes, where the registry has older ones or none. It runs a script of no other type, and shows text. */
const TAKEN: Readonly<Record<string, string>> = {
  '.cjs': 'text/javascript; charset=utf-8',
  '.vcf': 'text/vcard; charset=utf-8',
  '.go': TEXT,
  '.kt': TEXT,
  '.properties': TEXT,
  '.py': TEXT,
  '.rb': TEXT,
  '.rs': TEXT,
  '.swift': TEXT,
  '.toml': TEXT,
}

/** Returns a `Content-Type` value, with a charset for text; `application/octet-stream` for an unknown extension. */
export function mediaTypeOf(treePath: string): string {
  const extension = extname(treePath).toLowerCase()
  return TAKEN[extension] ?? (contentType(extension) || 'application/octet-stream')
}

/** Whether the bytes are a drawing that is stored compressed with gzip (SVG 1.1 §1.2). */
export function isZippedDrawing(treePath: string, mediaType: string): boolean {
  return extname(treePath).toLowerCase() === '.svgz' && mediaType.startsWith('image/svg+xml')
}
