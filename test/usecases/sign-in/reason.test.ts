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

  it('has no token and no claim, in whatever place of the causes they are', () => {
    const header = Buffer.from('{"alg":"RS256"}').toString('base64url')
    for (const token of [header, `${header}.eyJzdWIiOiJrYXRlIn0`, `${header}.a.b.c.eyJzdWIiOiJrYXRlIn0`]) {
      const asText = new ClientError('invalid response', {
        cause: Object.assign(new Error('Invalid JWT'), { cause: token }),
      })
      assert.equal(reasonOf(new Error('shown', { cause: asText })), 'invalid response: Invalid JWT')
      const inMessage = new Error('shown', { cause: new Error(`it has ${token}, which is wrong`) })
      assert.equal(reasonOf(inMessage), 'it has …, which is wrong')
      const inCode = Object.assign(new Error('refused'), { error: token })
      assert.equal(reasonOf(new Error('shown', { cause: inCode })), 'refused')
    }
    let unreadable: unknown
    try {
      JSON.parse('{"email": kate@corp.example}')
    } catch (error) {
      unreadable = error
    }
    assert.equal(reasonOf(new Error('shown', { cause: unreadable })), 'it cannot be read')
  })

  it('ends, also for causes without end', () => {
    const endless = new Error('x'.repeat(400))
    endless.cause = endless
    assert.equal(reasonOf(endless)?.length, 500)
  })
})
