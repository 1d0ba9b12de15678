import assert from 'node:assert/strict'
import { createKey, listKeys, revokeKey, rotateKey } from '../../../src/usecases/access/keys.js'
import { operatorCall } from '../../../src/usecases/context/operator.js'
import { authenticate } from '../../../src/usecases/access/authenticate.js'
import { createSite } from '../../../src/usecases/sites/sites.js'
import { readSlices } from '../../support/read-slices.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('the API for keys', () => {
  let shared: ServiceParts
  let parts: ServiceParts
  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
  })
  after(() => shared.stop())

  const mint = (input: Parameters<typeof createKey>[1], key?: string) =>
    createKey(parts.call(key === undefined ? {} : { key }), input)

  it('shows the secret of a new key once, and lists the key with its last use', async () => {
    const input = { label: 'CI', scopes: ['write'] as const, expiresAt: '2027-01-01T00:00:00+01:00' }
    const { data, created } = await mint(input)
    const { key, ...rest } = data
    assert.equal(created, true)
    assert.deepEqual(rest, {
      id: data.id,
      label: 'CI',
      prefix: `${key.slice(0, 8)}…`,
      scopes: ['write'],
      sites: null,
      paths: null,
      origins: null,
      toolset: null,
      expiresAt: '2026-12-31T23:00:00Z',
      lastUsedAt: null,
      mintedBy: { kind: 'key', id: parts.context().principal.id },
      userId: null,
      offer: null,
      createdAt: '2026-11-21T10:00:00Z',
    })
    assert.equal(authenticate(parts.services, key).id, data.id)
    const listed = (await listKeys(parts.call(), {})).data
    // Includes a use of a moment ago, which is stored within a minute.
    assert.deepEqual(
      listed.find(({ id }) => id === data.id),
      { ...rest, lastUsedAt: '2026-11-21T10:00:00Z' },
    )
    assert.doesNotMatch(JSON.stringify(listed), new RegExp(key))
  })

  it('refuses a key from the moment it is revoked', async () => {
    const { data } = await mint({ label: 'CI' })
    const revoke = () => revokeKey(parts.call(), { id: data.id })
    assert.equal((await revoke()).data.id, data.id)
    assert.throws(() => authenticate(parts.services, data.key), refusal('unauthenticated'))
    await assert.rejects(revoke(), refusal('key_not_found'))
  })

  it('lets a key mint only keys with at most its own rights', async () => {
    const { services, workspaceId } = parts
    const other = await createSite({ ...services, ...parts.context() }, { slug: 'blog' })
    const limited = await parts.mint({ sites: [parts.site.id] })
    assert.deepEqual((await mint({ label: 'x' }, limited)).data.sites, [parts.site.id])
    await assert.rejects(mint({ label: 'x', sites: [other.data.id] }, limited), refusal('site_not_found'))
    const { principal, target, ...rest } = parts.context()
    const author = {
      ...principal,
      kind: 'session' as const,
      person: { id: 'ada', name: 'Ada', role: 'author' as const },
    }
    const granted = { ...rest, principal: author, target: { ...target, scopes: ['read', 'propose'] as const } }
    const stronger = createKey({ ...services, ...granted }, { label: 'x', scopes: ['write'] })
    await assert.rejects(stronger, refusal('forbidden_scope'))
    assert.equal((await services.catalog.keys.list(workspaceId)).length, 3)
  })

  it('shows a limited key only keys that see at most as much', async () => {
    const limited = await parts.mint({ sites: [parts.site.id], label: 'limited' })
    const context = parts.context({ key: limited })
    assert.deepEqual(
      (await listKeys({ ...parts.services, ...context }, {})).data.map(({ label }) => label),
      ['limited'],
    )
    const id = parts.context().principal.id
    await assert.rejects(revokeKey({ ...parts.services, ...context }, { id }), refusal('key_not_found'))
  })

  it('lists keys minted within one second part by part, each once', async () => {
    const minted = await Promise.all(Array.from({ length: 5 }, (_, n) => mint({ label: `key ${n}` })))
    const revoked = minted[2]?.data.id ?? ''
    await revokeKey(parts.call(), { id: revoked })
    const whole = (await listKeys(parts.call(), {})).data.map(({ id }) => id)
    const list = (cursor?: string) => listKeys(parts.call(), { limit: 2, ...(cursor && { cursor }) })
    const listed = (await readSlices(list)).map(({ id }) => id)
    assert.deepEqual(listed, whole)
    const own = parts.context().principal.id
    const others = minted.map(({ data }) => data.id).filter((id) => id !== revoked)
    assert.deepEqual(listed.toSorted(), [own, ...others].toSorted())
  })

  it('refuses a new key that is already expired', async () => {
    await assert.rejects(mint({ label: 'x', expiresAt: '2026-11-21T10:00:00Z' }), refusal('invalid_body'))
  })

  for (const [what, label] of [
    ['an empty label', ''],
    ['a label of spaces', '  '],
    ['a label of 400 characters', 'x'.repeat(400)],
    ['an escape sequence in a label', 'nice\u001b]52;c;AAAA\u0007'],
    ['a label that reorders text', 'safe\u202egnp.exe'],
  ] as const)
    it(`refuses ${what}`, async () => {
      await assert.rejects(mint({ label }), refusal('invalid_body'))
      await assert.rejects(createKey({ ...parts.services, ...operator() }, { label }), refusal('invalid_body'))
    })

  it('refuses to the operator the same as over the API', async () => {
    const expired = createKey({ ...parts.services, ...operator() }, { label: 'x', expiresAt: '2020-01-01T00:00:00Z' })
    await assert.rejects(expired, refusal('invalid_body'))
    const { workspace, site } = await parts.services.provisioner.createWorkspace('Other', 'other')
    assert.notEqual(workspace.id, parts.workspaceId)
    const foreign = createKey({ ...parts.services, ...operator() }, { label: 'x', sites: [site.id] })
    await assert.rejects(foreign, refusal('site_not_found'))
  })

  it('refuses to mint a key that expires later than its minter', async () => {
    const end = '2026-11-21T10:01:00Z'
    const expiring = await parts.mint({ expiresAt: end })
    assert.equal((await mint({ label: 'x', scopes: ['admin'] }, expiring)).data.expiresAt, end)
    assert.equal((await mint({ label: 'x', expiresAt: null }, expiring)).data.expiresAt, end)
    await assert.rejects(mint({ label: 'x', expiresAt: '2026-11-21T10:01:01Z' }, expiring), refusal('invalid_body'))
    const earlier = '2026-11-21T10:00:30Z'
    assert.equal((await mint({ label: 'x', expiresAt: earlier }, expiring)).data.expiresAt, earlier)
  })

  it('refuses to rotate a key into one that outlives its minter', async () => {
    const end = '2026-11-21T10:01:00Z'
    const context = parts.context({ key: await parts.mint({ expiresAt: end }) })
    const { data: eternal } = await mint({ label: 'x' })
    const { data } = await rotateKey({ ...parts.services, ...context }, { id: eternal.id })
    assert.equal(data.expiresAt, end)
  })

  it('revokes all keys that a key made, directly or not, also once it is revoked itself', async () => {
    const { data: first } = await mint({ label: 'first', scopes: ['admin'] })
    const { data: second } = await mint({ label: 'second', scopes: ['admin'] }, first.key)
    const { data: third } = await mint({ label: 'third' }, second.key)
    const { data: other } = await mint({ label: 'other' })
    assert.deepEqual(second.mintedBy, { kind: 'key', id: first.id })
    await revokeKey(parts.call(), { id: first.id })
    assert.equal(authenticate(parts.services, third.key).id, third.id)
    const { data } = await revokeKey(parts.call(), { id: first.id, withMinted: true })
    assert.deepEqual(data.minted.toSorted(), [second.id, third.id].toSorted())
    for (const { key } of [second, third]) {
      assert.throws(() => authenticate(parts.services, key), refusal('unauthenticated'))
    }
    assert.equal(authenticate(parts.services, other.key).id, other.id)
  })

  it('lets the operator mint a key of every scope', async () => {
    const { data } = await createKey({ ...parts.services, ...operator() }, { label: 'x', scopes: ['admin'] })
    assert.deepEqual(authenticate(parts.services, data.key).scopes, ['admin'])
  })

  function operator() {
    const { workspace } = parts.context().target
    return operatorCall(workspace, 'keys create', parts.services.newId)
  }
})
