// Refuses a whole rules file if one of its lines is wrong, unless the client insists.

import { ServiceError } from '../../model/errors.js'
import { MAX_RULES_FILE_BYTES, refuseSize, type WrongLine } from '../../model/rules/rules-file.js'
import { wrongLinesOf } from '../../model/rules/wrong-lines.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'

/** Throws `invalid_rules` with every wrong line of `_redirects` and `_headers`. */
export function refuseWrongLines(treePath: string, bytes: Buffer): void {
  refuseLines(treePath, wrongLinesOf(treePath, bytes))
}

/** Checks rules that the repository has already; throws as `refuseWrongLines` does. */
export function refuseWrongLinesOf(snapshot: Snapshot, treePath: string, oid: string): void {
  const bytes = snapshot.blobWithin(oid, MAX_RULES_FILE_BYTES)
  if (bytes === undefined) refuseLines(treePath, [refuseSize(snapshot.size(oid))])
  else refuseWrongLines(treePath, bytes)
}

/** Throws `invalid_rules` if there are lines. */
export function refuseLines(treePath: string, lines: readonly WrongLine[]): void {
  const [first] = lines
  if (first === undefined) return
  const more = lines.length > 1 ? ` Wrong lines after it: ${lines.length - 1}.` : ''
  throw new ServiceError(
    'invalid_rules',
    `/${treePath} was not changed. Line ${first.line}: ${first.message}${more} With force=true the file is taken, and wrong lines are skipped.`,
    { lines },
  )
}
