// Finds the lines of `_redirects` and `_headers` that cannot be applied.

import { HEADERS_FILE, parseHeaders } from './headers-file.js'
import { parseRedirects, REDIRECTS_FILE } from './redirects-file.js'
import { MAX_RULES_FILE_BYTES, refuseSize, type WrongLine } from './rules-file.js'

const PARSERS: Readonly<Record<string, (bytes: Buffer) => { wrong: WrongLine[] }>> = {
  [REDIRECTS_FILE]: parseRedirects,
  [HEADERS_FILE]: parseHeaders,
}

/** Lists them in order; none for a file without rules. */
export function wrongLinesOf(treePath: string, bytes: Buffer): WrongLine[] {
  const parse = PARSERS[treePath]
  if (parse === undefined) return []
  return bytes.length > MAX_RULES_FILE_BYTES ? [refuseSize(bytes.length)] : parse(bytes).wrong
}
