// Finds the lines of `_redirects` and `_headers` that are skipped, with the reasons.

import { HEADERS_FILE } from '../../model/rules/headers-file.js'
import { REDIRECTS_FILE } from '../../model/rules/redirects-file.js'
import { linesToTellIn } from '../../repository/resolution/site-rules.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { Finding } from './finding.js'

/** The most reported lines of one file. */
const MAX_LINES = 100

export function* checkRules(snapshot: Pick<Snapshot, 'entry' | 'blob' | 'size'>): Generator<Finding> {
  yield* checkFile(snapshot, REDIRECTS_FILE, 'invalid_redirect')
  yield* checkFile(snapshot, HEADERS_FILE, 'invalid_header')
}

function* checkFile(
  snapshot: Pick<Snapshot, 'entry' | 'blob' | 'size'>,
  path: string,
  code: Finding['code'],
): Generator<Finding> {
  const { wrong } = linesToTellIn(snapshot, path)
  for (const { line, message } of wrong.slice(0, MAX_LINES)) {
    yield { code, path, message: `Line ${line} is skipped. ${message}` }
  }
  const rest = wrong.length - MAX_LINES
  if (rest > 0) yield { code, path, message: `${rest} more lines are skipped: fix the first ones, then check again.` }
}
