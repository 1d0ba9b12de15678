// The lines of `_redirects` and `_headers` that cannot be applied.

import { HEADERS_FILE, parseHeaders } from './headers-file.js'
import { parseRedirects, REDIRECTS_FILE } from './redirects-file.js'
import type { WrongLine } from './rules-file.js'

const PARSERS: Readonly<Record<string, (bytes: Buffer) => { wrong: WrongLine[] }>> = {
  [REDIRECTS_FILE]: parseRedirects,
  [HEADERS_FILE]: parseHeaders,
}

/** In their order; none for a file that holds no rules. */
export function wrongLinesOf(treePath: string, bytes: Buffer): WrongLine[] {
  return PARSERS[treePath]?.(bytes).wrong ?? []
}
