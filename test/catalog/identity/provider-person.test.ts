import assert from 'node:assert/strict'
import { readPerson } from '../../../src/catalog/identity/provider-person.js'

const SETTINGS = {
  id: 'work',
  name: 'Work',
  issuer: 'https://login.example',
  clientId: 'palimpsest',
  clientSecret: undefined,
  scopes: 'openid',
  trustEmail: false,
  roleClaim: undefined,
  roles: {},
}

describe('the claims of a person', () => {
  const read = (claims: Record<string, unknown>, settings: object = {}) =>
    readPerson({ idToken: { sub: 'x', ...claims } }, { ...SETTINGS, ...settings })

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

  it('have an address and its proof from one document, and none that a document denies', () => {
    const emailOf = (idToken: object, userinfo: Record<string, unknown>, trustEmail = false) =>
      readPerson({ idToken: { sub: 'x', ...idToken }, userinfo }, { ...SETTINGS, trustEmail }).email
    const kate = { email: 'kate@corp.example' }
    const mallory = { email: 'mallory@evil.example', email_verified: true }
    assert.equal(emailOf(kate, mallory), 'mallory@evil.example')
    assert.equal(emailOf(kate, { email_verified: true }), undefined)
    assert.equal(emailOf({ email_verified: true }, kate), undefined)
    assert.equal(emailOf({ ...kate, email_verified: true }, mallory), 'kate@corp.example')
    assert.equal(emailOf({ ...kate, email_verified: false }, mallory), undefined)
    assert.equal(emailOf({}, { ...kate, email_verified: true }), 'kate@corp.example')
  })

  it('have an address without a proof if the operator trusts the provider, but not if a claim denies it', () => {
    const emailOf = (claims: object) => read({ email: 'a@b.example', ...claims }, { trustEmail: true }).email
    assert.equal(emailOf({}), 'a@b.example')
    for (const isVerified of [false, 'false', 1, {}, ['true']])
      assert.equal(emailOf({ email_verified: isVerified }), undefined)
  })

  it('fold the case of ASCII letters alone', () => {
    const emailOf = (email: string) => read({ email, email_verified: true }).email
    assert.equal(emailOf('\u212aate@corp.example'), '\u212aate@corp.example')
    assert.equal(emailOf('kate@\u212aorp.example'), 'kate@\u212aorp.example')
    assert.equal(emailOf('KATE@Corp.example'), 'kate@corp.example')
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
