import assert from 'node:assert/strict'
import { ClientError } from 'openid-client'
import { reasonOf } from '../../../src/protocols/api/sign-in/reason.js'

describe('the reason of a failed sign-in in the log', () => {
  it('has the messages of all causes, and none of their values', () => {
    const inner = Object.assign(new Error('unexpected "aud"', { cause: { claims: { aud: 'hunter2' } } }), {
      error: 'e',
    })
    const error = new Error('shown', { cause: new ClientError('invalid response', { cause: inner }) })
    assert.equal(reasonOf(error), 'invalid response: unexpected "aud": e')
    assert.equal(reasonOf(new Error('shown')), undefined)
    assert.equal(reasonOf(Object.assign(new Error('shown'), { cause: 'it has no sub' })), 'it has no sub')
  })

  it('ends, also for causes without end', () => {
    const endless = new Error('x'.repeat(400))
    endless.cause = endless
    assert.equal(reasonOf(endless)?.length, 500)
  })
})
