// Finds the lines of `_redirects` and `_headers` that cannot be applied, and those that apply with a warning.

import { HEADERS_FILE, parseHeaders } from './headers-file.js'
import { parseRedirects, REDIRECTS_FILE } from './redirects-file.js'
import { MAX_RULES_FILE_BYTES, type ReadRules, refuseSize, type WrongLine } from './rules-file.js'

type LinesToTell = Pick<ReadRules<unknown>, 'wrong' | 'warnings'>

const PARSERS: Readonly<Record<string, (bytes: Buffer) => LinesToTell>> = {
  [REDIRECTS_FILE]: parseRedirects,
  [HEADERS_FILE]: parseHeaders,
}

/** Lists both in order; none for a file without rules. */
export function linesToTell(treePath: string, bytes: Buffer): LinesToTell {
  const parse = PARSERS[treePath]
  if (parse === undefined) return { wrong: [], warnings: [] }
  return bytes.length > MAX_RULES_FILE_BYTES ? linesOfTooLong(bytes.length) : parse(bytes)
}

/** Lists what is to be said about a file that is too long to be read. */
export function linesOfTooLong(size: number): LinesToTell {
  return { wrong: [refuseSize(size)], warnings: [] }
}

export function wrongLinesOf(treePath: string, bytes: Buffer): WrongLine[] {
  return linesToTell(treePath, bytes).wrong
}
