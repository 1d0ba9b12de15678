// The lines of `_redirects` and `_headers` that are skipped, and why.

import { HEADERS_FILE, parseHeaders } from '../model/rules/headers-file.js'
import { parseRedirects, REDIRECTS_FILE } from '../model/rules/redirects-file.js'
import { MAX_RULES_FILE_BYTES, refuseSize, type WrongLine } from '../model/rules/rules-file.js'
import { isFile } from '../store/format/file-mode.js'
import type { Snapshot } from '../store/reading/snapshot.js'
import type { Finding } from './finding.js'

/** Reported lines of one file. */
const MAX_LINES = 100

export function* checkRules(snapshot: Pick<Snapshot, 'entry' | 'blob' | 'size'>): Generator<Finding> {
  yield* checkFile(snapshot, REDIRECTS_FILE, 'invalid_redirect', parseRedirects)
  yield* checkFile(snapshot, HEADERS_FILE, 'invalid_header', parseHeaders)
}

function* checkFile(
  snapshot: Pick<Snapshot, 'entry' | 'blob' | 'size'>,
  path: string,
  code: Finding['code'],
  parse: (bytes: Buffer) => { wrong: WrongLine[] },
): Generator<Finding> {
  const entry = snapshot.entry(path)
  if (entry === undefined || !isFile(entry.mode)) return
  const size = snapshot.size(entry.oid)
  const { wrong } = size > MAX_RULES_FILE_BYTES ? { wrong: [refuseSize(size)] } : parse(snapshot.blob(entry.oid))
  for (const { line, message } of wrong.slice(0, MAX_LINES)) {
    yield { code, path, message: `Line ${line} is skipped. ${message}` }
  }
  const rest = wrong.length - MAX_LINES
  if (rest > 0) yield { code, path, message: `${rest} more lines are skipped: fix the first ones, then check again.` }
}
