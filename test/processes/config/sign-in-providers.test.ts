import assert from 'node:assert/strict'
import { InvalidConfiguration, loadConfig } from '../../../src/processes/config/config.js'

const PROVIDER = { id: 'work', issuer: 'https://login.example', clientId: 'palimpsest' }

describe('SIGN_IN_PROVIDERS', () => {
  const load = (value: unknown) =>
    loadConfig({ SIGN_IN_PROVIDERS: typeof value === 'string' ? value : JSON.stringify(value) }).signInProviders

  const problemsOf = (value: unknown): string => {
    let problems = ''
    assert.throws(
      () => load(value),
      (error) => {
        if (error instanceof InvalidConfiguration) problems = error.problems.join('\n')
        return problems !== ''
      },
    )
    return problems
  }

  it('may be absent, and has defaults', () => {
    assert.deepEqual(loadConfig({}).signInProviders, [])
    assert.deepEqual(load([{ ...PROVIDER, roleClaim: 'groups', roles: { staff: { role: 'editor' } } }]), [
      {
        ...PROVIDER,
        name: 'work',
        clientSecret: undefined,
        scopes: 'openid email profile',
        trustEmail: false,
        roleClaim: 'groups',
        roles: { staff: { workspace: undefined, role: 'editor', sites: null } },
      },
    ])
    assert.equal(load([{ ...PROVIDER, issuer: 'http://localhost:8081/realms/a' }]).length, 1)
  })

  it('is refused with a sentence about each problem, and never with a value that may be a secret', () => {
    const wrong: [unknown, RegExp][] = [
      ['hunter2', /must be a JSON array/],
      [{}, /must be a JSON array/],
      [['hunter2'], /must be a JSON array/],
      [[{ ...PROVIDER, id: 'Hunter2' }], /\[0\] needs an id of lower-case letters/],
      [[{ ...PROVIDER, issuer: 'http://login.example?hunter2' }], /needs an issuer: an https URL/],
      [[{ ...PROVIDER, clientId: undefined }], /needs a clientId/],
      [[{ ...PROVIDER, clientSecret: { hunter2: 1 } }], /has a clientSecret that is no text/],
      [[{ ...PROVIDER, hunter2: 1 }], /has unknown fields; the known ones are id, /],
      [[{ ...PROVIDER, scopes: 'email' }], /has scopes without openid/],
      [[{ ...PROVIDER, trustEmail: 'hunter2' }], /has a trustEmail that is neither true nor false/],
      [[{ ...PROVIDER, roles: { hunter2: { role: 'editor' } } }], /has roles, and no roleClaim/],
      [[{ ...PROVIDER, roleClaim: 'x', roles: { hunter2: { role: 'king' } } }], /none of viewer, author/],
      [[{ ...PROVIDER, roleClaim: 'x', roles: { hunter2: { role: 'owner', sites: ['a'] } } }], /an owner has all/],
      [[{ ...PROVIDER, roleClaim: 'x', roles: { hunter2: { role: 'editor', sites: [] } } }], /no list of ids or slugs/],
      [[PROVIDER, PROVIDER], /names one id twice/],
      [[PROVIDER, { ...PROVIDER, id: 'other' }], /names one issuer twice/],
    ]
    for (const [value, expected] of wrong) {
      const problems = problemsOf(value)
      assert.match(problems, expected)
      assert.doesNotMatch(problems, /hunter2/i)
    }
  })
})
