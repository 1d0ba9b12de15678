import assert from 'node:assert/strict'
import { readPerson } from '../../../src/catalog/identity/provider-person.js'

const SETTINGS = {
  id: 'work',
  name: 'Work',
  issuer: 'https://login.example',
  clientId: 'palimpsest',
  clientSecret: undefined,
  scopes: 'openid',
  roleClaim: undefined,
  roles: {},
}

describe('the claims of a person', () => {
  const read = (claims: Record<string, unknown>, settings: object = {}) =>
    readPerson({ sub: 'x', ...claims }, { ...SETTINGS, ...settings })

  it('name the person by a name that fits into commits', () => {
    assert.equal(read({ name: ' Ada\u0007 \u202eLovelace\n' }).name, 'Ada Lovelace')
    assert.equal(read({ name: '\u0000', preferred_username: 'ada' }).name, 'ada')
    assert.equal(Array.from(read({ name: '🦉'.repeat(200) }).name).length, 100)
    assert.equal(read({ name: 7, email: 'A@b.example', email_verified: true }).name, 'a@b.example')
    assert.equal(read({}).name, 'Somebody')
  })

  it('have an address only if the provider verified it', () => {
    const emailOf = (email: unknown, isVerified?: unknown) => read({ email, email_verified: isVerified }).email
    assert.equal(emailOf('Ada@Example.org', true), 'ada@example.org')
    assert.equal(emailOf('ada@example.org', 'true'), 'ada@example.org')
    for (const isVerified of [undefined, false, 'false', 1, {}])
      assert.equal(emailOf('a@b.example', isVerified), undefined)
    for (const email of [
      'a',
      'a@b@evil.example',
      'a b@c.example',
      '@b.example',
      `a@${'b'.repeat(300)}`,
      ['a@b.example'],
    ])
      assert.equal(emailOf(email, true), undefined)
  })

  it('give the roles of all their values, also inside of objects', () => {
    const roles = { a: { role: 'viewer' }, b: { role: 'editor' } }
    const rolesOf = (claims: object, roleClaim: string) =>
      read({ ...claims }, { roles, roleClaim }).roles.map(({ role }) => role)
    assert.deepEqual(rolesOf({ groups: ['b', 'a', 'c', 7, null, '__proto__', 'constructor'] }, 'groups'), [
      'editor',
      'viewer',
    ])
    assert.deepEqual(rolesOf({ groups: 'b' }, 'groups'), ['editor'])
    assert.deepEqual(rolesOf({ realm: { roles: ['a'] } }, 'realm.roles'), ['viewer'])
    assert.deepEqual(rolesOf({ 'https://login.example/roles': ['a'] }, 'https://login.example/roles'), ['viewer'])
    for (const groups of [undefined, null, 7, {}, { roles: 'a' }]) assert.deepEqual(rolesOf({ groups }, 'groups'), [])
    assert.deepEqual(rolesOf({}, 'constructor.name'), [])
  })
})
