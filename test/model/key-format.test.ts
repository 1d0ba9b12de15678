import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { hashKey, isWellFormedKey, mintKey, prefixOf } from '../../src/model/key-format.js'

describe('the form of an API key', () => {
  it('is pal_, 30 random characters and 6 of checksum', () => {
    assert.match(mintKey(), /^pal_[0-9A-Za-z]{36}$/)
  })

  it('ends in the CRC32 of what precedes, in base62', () => {
    for (const body of [`pal_${'0'.repeat(30)}`, mintKey().slice(0, -6)]) {
      assert.ok(isWellFormedKey(body + slowChecksum(body)), body)
    }
  })

  it('is never given twice and always well formed', () => {
    const keys = Array.from({ length: 2000 }, mintKey)
    assert.equal(new Set(keys).size, keys.length)
    assert.ok(keys.every(isWellFormedKey))
  })

  it('uses every character of the alphabet equally often', () => {
    const counts = new Map<string, number>()
    const keys = 4000
    for (let made = 0; made < keys; made++) {
      for (const character of mintKey().slice(4, 34)) counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    const expected = (keys * 30) / 62
    assert.equal(counts.size, 62)
    // Without rejection the first 8 characters would come 25 % too often; the bound is seven standard deviations.
    for (const [character, count] of counts) {
      assert.ok(Math.abs(count - expected) < 7 * Math.sqrt(expected), `${character} came ${count} times`)
    }
  })

  it('is refused if one character is changed, added or missing', () => {
    const key = mintKey()
    fc.assert(
      fc.property(
        fc.nat({ max: key.length - 1 }),
        fc.constantFrom('a', 'Z', '0', '_', '-', ' ', 'é'),
        (at, character) => {
          fc.pre(key.charAt(at) !== character)
          assert.equal(isWellFormedKey(key.slice(0, at) + character + key.slice(at + 1)), false)
          assert.equal(isWellFormedKey(key.slice(0, at) + key.slice(at + 1)), false)
        },
      ),
    )
    for (const text of ['', 'pal_', `${key}\n`, ` ${key}`, key + key, key.toUpperCase()]) {
      assert.equal(isWellFormedKey(text), false, JSON.stringify(text))
    }
  })

  it('is stored as its SHA-256 and shown by its first characters', () => {
    const key = mintKey()
    assert.equal(hashKey(key), createHash('sha256').update(key, 'utf8').digest('hex'))
    assert.equal(prefixOf(key), `${key.slice(0, 8)}…`)
  })
})

/** CRC32 bit by bit, as the reference defines it (reflected polynomial 0xEDB88320), in base62 of six places. */
function slowChecksum(body: string): string {
  let crc = 0xff_ff_ff_ffn
  for (const byte of Buffer.from(body)) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = crc & 1n ? (crc >> 1n) ^ 0xed_b8_83_20n : crc >> 1n
  }
  let rest = crc ^ 0xff_ff_ff_ffn
  const digits: string[] = []
  for (let place = 0; place < 6; place++) {
    digits.unshift('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.charAt(Number(rest % 62n)))
    rest /= 62n
  }
  return digits.join('')
}
