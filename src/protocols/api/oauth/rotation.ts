// The rotation of refresh tokens. Each use of one gives its successor, and programs repeat a use whose answer they did not get, or that
// two of their windows made. So within a minute of the first use each use gets the same successor; a later one is theft, and ends the
// agent. Only hashes are stored. The successor is computed from the token and a secret that is stored beside its hash. So neither a thief
// of the token nor a reader of the catalog can compute it alone.

import { createHmac, randomBytes } from 'node:crypto'

/** Time from the first use of a refresh token in which it may be used again. */
export const GRACE_SECONDS = 60

/** The field of a stored refresh token that has its secret. */
const SECRET = 'rotation'

/** Returns the field that a new refresh token is stored with. */
export function rotationSecret(): Record<string, string> {
  return { [SECRET]: randomBytes(32).toString('base64url') }
}

/** Returns the successor of a token. One of a version without these secrets has a successor that its holder could compute. */
export function successorOf(token: string, stored: Readonly<Record<string, unknown>> = {}): string {
  const secret = stored[SECRET]
  return createHmac('sha256', typeof secret === 'string' ? secret : '')
    .update(token)
    .digest('base64url')
}
