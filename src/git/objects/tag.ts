// Annotated tags: their object, their maker and their message.

import { decodeMessage, type Identity, parseIdentity } from './commit.js'
import { ObjectCorrupt } from './errors.js'
import type { Oid } from './oid.js'

export interface TagNote {
  /** Undefined if the tag names no maker, like very old ones. */
  tagger: Identity | undefined
  /** The message without the signature. */
  message: string
  /** Whether it carries a signature, good or bad, by anyone. */
  isSigned: boolean
}

/** End of the message of a signed tag (gitformat-signature). */
const SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SSH SIGNATURE|SIGNED MESSAGE)-----$/m

/** Returns the object that an annotated tag names (git-mktag). Throws ObjectCorrupt. */
export function parseTag(content: Buffer): Oid {
  const [, oid] = /^object ([0-9a-f]{40})\n/.exec(content.toString('latin1', 0, 48)) ?? []
  if (oid === undefined) throw new ObjectCorrupt('a tag', 'it names no object')
  return oid
}

/** Parses maker and message. Accepts what real tags hold: signatures, odd names, none at all. */
export function parseTagNote(content: Buffer): TagNote {
  const end = content.indexOf('\n\n')
  const header = content.toString('utf8', 0, end < 0 ? content.length : end)
  const [, tagger] = /^tagger (.*)$/m.exec(header) ?? []
  const text = end < 0 ? '' : decodeMessage(content.subarray(end + 2), undefined)
  const signature = SIGNATURE.exec(text)
  return {
    tagger: tagger === undefined ? undefined : parseIdentity(tagger),
    message: (signature === null ? text : text.slice(0, signature.index)).trim(),
    isSigned: signature !== null,
  }
}
