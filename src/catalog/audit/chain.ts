// The hashes of the audit log. An entry's hash covers the hash before it, so a changed, removed or added entry shows.

import { createHash } from 'node:crypto'

/** Stands for the workspace in the operator's chain. */
export const OPERATOR_CHAIN = ''

/** The entry that the next one follows: the last one, or the last one that retention removed. */
export interface Link {
  number: number
  hash: string
}

/** The link before the first entry of a chain. */
export const BEGINNING: Link = { number: 0, hash: '' }

/** The last entry that retention removed from a chain. */
export interface Anchor extends Link {
  /** RFC 3339. */
  removedAt: string
  /** A key of the service signed `anchorText`. */
  signature: string
}

/** Returns the hash of an entry that follows the one with the hash `before`. */
export function chainHash(before: string, entry: string): string {
  return sha256(`${before}\n${entry}`)
}

/** Returns the hash of personal facts as an entry holds it. The salt goes with the facts, so that nobody finds them by trying. */
export function personalHash(salt: string, facts: string): string {
  return sha256(`${salt}\n${facts}`)
}

/** Returns the text that the signature of an anchor is for. */
export function anchorText(workspaceId: string, { number, hash, removedAt }: Omit<Anchor, 'signature'>): string {
  return `palimpsest audit anchor\n${workspaceId}\n${number}\n${hash}\n${removedAt}\n`
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
