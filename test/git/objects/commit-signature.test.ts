import assert from 'node:assert/strict'
import { assert as holds, integer, nat, property, uint8Array } from 'fast-check'
import { createSigner, isSignedBy, publicKeyOf } from '../../../src/git/objects/commit-signature.js'
import { commitOf, newKey } from './signed-commits.js'

const pem = newKey()
const key = publicKeyOf(pem)

describe('the signature of a commit', () => {
  it('is valid only for the exact bytes that were signed, by a known key', () => {
    const signed = createSigner(pem)(commitOf('one'))
    assert.equal(isSignedBy(signed, [publicKeyOf(newKey()), key]), true)
    assert.equal(isSignedBy(signed, [publicKeyOf(newKey())]), false)
    assert.equal(isSignedBy(signed, []), false)
    assert.equal(isSignedBy(commitOf('one'), [key]), false)
    holds(
      property(nat(signed.length - 1), integer({ min: 1, max: 255 }), (at, change) => {
        const other = Buffer.from(signed)
        other[at] = (other[at] ?? 0) ^ change
        assert.equal(isSignedBy(other, [key]), false)
      }),
    )
  })

  it('cannot be forged in the message of a commit', () => {
    const armor = /gpgsig ([^]*?END SSH SIGNATURE-----)/.exec(createSigner(pem)(commitOf('one')).toString())?.[1] ?? ''
    assert.equal(isSignedBy(commitOf(`one\n\ngpgsig ${armor}\n`), [key]), false)
    holds(property(uint8Array(), (bytes) => assert.equal(isSignedBy(Buffer.from(bytes), [key]), false)))
  })
})
