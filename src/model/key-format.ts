// The form of an API key: `pal_`, 30 random base62 characters, 6 base62 characters of CRC32 over all before them.
// The checksum tells a typing error or a cut-off paste from an unknown key without a look-up; it protects nothing.

import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const PREFIX = 'pal_'
const RANDOM_LENGTH = 30
const CHECKSUM_LENGTH = 6
const WELL_FORMED = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`)

/** Makes a new key with about 178 bits of randomness. Show it once; only its hash is stored. */
export function mintKey(): string {
  const body = PREFIX + randomBase62(RANDOM_LENGTH)
  return body + checksumOf(body)
}

/** Whether the text has the form and the checksum of a key, known to this service or not. */
export function isWellFormedKey(text: string): boolean {
  return WELL_FORMED.test(text) && checksumOf(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH)
}

/** Returns SHA-256 in lower-case hex, the only stored form of a key. A key is too random to need a slow or salted hash. */
export function hashKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns the beginning of a key, shown in lists to tell it from others: `pal_AbCd…`. */
export function prefixOf(key: string): string {
  return `${key.slice(0, PREFIX.length + 4)}…`
}

/** Returns 256 random bits, in characters that need no quoting in a cookie or a URL. */
export function mintSecret(): string {
  return randomBytes(32).toString('base64url')
}

function randomBase62(length: number): string {
  // 248 is the largest multiple of 62 in a byte: larger bytes are dropped, or the first characters would come more often.
  const unbiased = 248
  let text = ''
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < unbiased && text.length < length) text += ALPHABET.charAt(byte % ALPHABET.length)
    }
  }
  return text
}

function checksumOf(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    text = ALPHABET.charAt(rest % ALPHABET.length) + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}
