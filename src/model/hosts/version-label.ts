// The DNS labels of a site's past: `<commit>--<slug>` for everybody, and `link-…`, which is signed and expires.
// Both are one label of at most 63 characters, so that one wildcard certificate serves them.

import { createHmac, timingSafeEqual } from 'node:crypto'

/** 7 to 20 hexadecimal digits; a slug has no two hyphens in a row, so the label can be read in one way. */
const VERSION = /^([0-9a-f]{7,20})--([a-z0-9-]{1,40})$/
const LINK = /^link-([a-z2-7]{55})$/
/** Of a commit's id, in labels that the service writes: 20 + 2 + 40 are 62. */
const COMMIT_DIGITS = 20
/** Of a site's id, without hyphens. The signature is over the whole id. */
const SITE_DIGITS = 16
const SIGNATURE_BYTES = 12

export interface VersionLabel {
  /** The first digits of a commit. */
  commit: string
  slug: string
}

export interface VersionLink {
  siteId: string
  /** A commit, or its first 20 digits. */
  commit: string
  /** Seconds since the epoch, until 2106. */
  expiresAt: number
}

export function versionLabelOf({ commit, slug }: VersionLabel): string {
  return `${commit.slice(0, COMMIT_DIGITS)}--${slug}`
}

export function parseVersionLabel(label: string): VersionLabel | undefined {
  const [, commit, slug] = VERSION.exec(label) ?? []
  return commit === undefined || slug === undefined ? undefined : { commit, slug }
}

/** The label that shows the site as of the commit, to whoever has it, until it expires. */
export function signLink(secret: Uint8Array, { siteId, commit, expiresAt }: VersionLink): string {
  const claim = Buffer.concat([
    Buffer.from(siteId.replaceAll('-', '').slice(0, SITE_DIGITS), 'hex'),
    Buffer.from(commit.slice(0, COMMIT_DIGITS), 'hex'),
    Buffer.alloc(4),
  ])
  claim.writeUInt32BE(expiresAt, claim.length - 4)
  const signature = createHmac('sha256', secret).update(siteId).update(claim).digest()
  return `link-${toBase32(Buffer.concat([claim, signature.subarray(0, SIGNATURE_BYTES)]))}`
}

/** What a label claims; `siteId` is the beginning of one. Nothing of it is true before `isSigned` says so. */
export function readLink(label: string): VersionLink | undefined {
  const [, text] = LINK.exec(label) ?? []
  if (text === undefined) return undefined
  const bytes = fromBase32(text)
  const site = bytes.toString('hex', 0, 8)
  return {
    siteId: `${site.slice(0, 8)}-${site.slice(8, 12)}-${site.slice(12)}`,
    commit: bytes.toString('hex', 8, 18),
    expiresAt: bytes.readUInt32BE(18),
  }
}

/** Whether the label is ours, to the letter, for the site with that whole id. */
export function isSigned(secret: Uint8Array, label: string, siteId: string): boolean {
  const claim = readLink(label)
  if (claim === undefined) return false
  return timingSafeEqual(Buffer.from(label), Buffer.from(signLink(secret, { ...claim, siteId })))
}

/** RFC 4648 §6, lower-case, without padding. */
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567'

function toBase32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}
