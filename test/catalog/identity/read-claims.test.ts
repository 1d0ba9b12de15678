import assert from 'node:assert/strict'
import { readClaims, TokenRefused } from '../../../src/catalog/identity/read-claims.js'
import type { Catalog } from '../../../src/catalog/catalog.js'

const NOW = 1_800_000_000
const WORKSPACE = '3f2a9c1e-5b7d-4e0a-9c1f-2d4b6a8c0e12'
const GOOD = {
  active: true,
  iss: 'https://idp.example',
  aud: 'https://pages.example',
  sub: 'ada',
  scope: 'read',
  workspace: WORKSPACE,
}

describe('the claims of a token', () => {
  const settings = {
    issuer: 'https://idp.example',
    audience: 'https://pages.example',
    workspaceClaim: 'workspace',
    scopeClaim: 'scope',
    sitesClaim: 'sites',
  }
  const catalog = { workspaces: { find: (id: string) => (id === WORKSPACE ? { id } : undefined) } } as Catalog
  const read = (claims: object) => readClaims({ ...GOOD, ...claims }, { settings, catalog, now: NOW })

  it('make a principal', () => {
    const { id, scopes, workspaceId, sites } = read({ exp: NOW + 60, nbf: NOW - 60 })
    assert.deepEqual([id, scopes, workspaceId, sites], ['ada', ['read'], WORKSPACE, null])
  })

  it('may begin up to half a minute later, since clocks differ', () => {
    assert.equal(read({ nbf: NOW + 29 }).id, 'ada')
  })

  for (const [what, claims, reason] of [
    ['is inactive', { active: false }, /not active/],
    ['expires this second', { exp: NOW }, /expired/],
    ['has an expiry that is text', { exp: String(NOW + 60) }, /exp is not a number/],
    ['begins in a minute', { nbf: NOW + 60 }, /not valid yet/],
    ['has a beginning that is text', { nbf: String(NOW - 60) }, /nbf is not a number/],
    ['has another issuer', { iss: 'https://other.example' }, /another issuer/],
    ['has no issuer', { iss: undefined }, /another issuer/],
    ['is for another audience', { aud: ['https://other.example'] }, /not for https:\/\/pages/],
    ['names no subject', { sub: undefined }, /no subject/],
  ] as const) {
    it(`are refused if the token ${what}`, () => {
      assert.throws(
        () => read(claims),
        (error) => error instanceof TokenRefused && reason.test(error.message),
      )
    })
  }
})
