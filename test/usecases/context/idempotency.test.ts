import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openCatalog } from '../../../src/catalog/catalog.js'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { createCollection } from '../../../src/usecases/records/collections.js'
import { hashesOf, IdempotencyGuard, sortedJson } from '../../../src/usecases/context/idempotency.js'
import { createKey } from '../../../src/usecases/access/keys.js'
import { createPage, replacePage } from '../../../src/usecases/pages/pages.js'
import { unpublishPage } from '../../../src/usecases/moves/unpublish-page.js'
import { createRecord } from '../../../src/usecases/records/records.js'
import { Provisioner } from '../../../src/usecases/provisioning/provisioner.js'
import { createSite, listSites } from '../../../src/usecases/sites/sites.js'
import { rollbackPage } from '../../../src/usecases/pages/versions.js'
import { OwnLeases } from '../../../src/threads/leases.js'
import { git, withClone } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('an Idempotency-Key', () => {
  let shared: ServiceParts
  let parts: ServiceParts
  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
  })
  const sort = (workspaceId: string, value: unknown) => sortedJson(shared.services.tasks, workspaceId, value)
  after(() => shared.stop())

  const create = (idempotencyKey: string, input = { path: '/a', html: 'a' }) =>
    createPage(parts.call({ idempotencyKey }), input)
  const commits = () => Number(git(parts.gitdir(), 'rev-list', '--count', 'main'))

  it('answers a repeated request again and does it once', async () => {
    const first = await create('k1')
    const again = await create('k1')
    assert.deepEqual(again, first)
    assert.equal(commits(), 2)
  })

  it('answers a replay with the page as it was then, despite later changes', async () => {
    const first = await create('k1')
    const { id } = first.data
    parts.pass(60)
    await replacePage(parts.call(), { id, html: 'later' })
    assert.deepEqual(await create('k1'), first)
    await unpublishPage(parts.call(), { id })
    assert.deepEqual(await create('k1'), first)
  })

  it('is stored in the commit as hashes, and nowhere in plain text', async () => {
    await create('my secret key')
    const message = git(parts.gitdir(), 'log', '-1', '--format=%B')
    assert.match(message, /^Idempotency-Key: [0-9a-f]{64} [0-9a-f]{64}$/m)
    assert.doesNotMatch(message, /my secret key/)
  })

  it('is refused with a different request', async () => {
    await create('k1')
    await assert.rejects(create('k1', { path: '/b', html: 'a' }), refusal('idempotency_key_reused'))
    await assert.rejects(create('k1', { path: '/a', html: 'b' }), refusal('idempotency_key_reused'))
    assert.equal(commits(), 2)
  })

  it('is refused while the first request is in progress', async () => {
    const outcomes = await Promise.allSettled([create('k1'), create('k1'), create('k1')])
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.deepEqual(
      refused.map(({ reason }) => reason.code),
      ['idempotency_in_progress', 'idempotency_in_progress'],
    )
    assert.equal(commits(), 2)
    await create('k1')
  })

  it('does not replay a refusal', async () => {
    await assert.rejects(create('k1', { path: '/a?', html: 'a' }), refusal('invalid_path'))
    assert.equal((await create('k1')).created, true)
  })

  it('expires after a day', async () => {
    await create('k1')
    parts.pass(24 * 60 * 60 - 1)
    assert.equal((await create('k1')).created, true)
    parts.pass(1)
    await assert.rejects(create('k1'), refusal('page_exists'))
    const next = await create('k1', { path: '/other', html: 'a' })
    assert.deepEqual(await create('k1', { path: '/other', html: 'a' }), next)
  })

  it('counts only for the same API key, route and site', async () => {
    const context = parts.context({ idempotencyKey: 'k1' })
    const hash = async (more: object, site = parts.site) =>
      (await hashesOf({ ...context, ...more }, { site, input: {} }, sort))?.key
    const hashes = await Promise.all([
      hash({}),
      hash({ principal: { ...context.principal, id: 'another' } }),
      hash({ route: 'POST /collections' }),
      hash({}, { ...parts.site, id: 'another' }),
      hash({ idempotencyKey: 'k2' }),
    ])
    assert.equal(new Set(hashes).size, hashes.length)
    assert.equal(await hash({ requestId: 'another' }), await hash({}))
  })

  it('treats requests as the same if only the order of their fields differs, few or many', async () => {
    const context = parts.context({ idempotencyKey: 'k1' })
    const hash = async (input: object) => (await hashesOf(context, { site: parts.site, input }, sort))?.request
    const many = Array.from({ length: 6_000 }, (_, n) => [`k${n}`, { c: n, d: 3 }] as const)
    const otherwise = many.toReversed().map(([name, { c, d }]) => [name, { d, c }] as const)
    assert.equal(await hash({ a: 1, b: { c: 2, d: 3 } }), await hash({ b: { d: 3, c: 2 }, a: 1 }))
    assert.equal(await hash(Object.fromEntries(many)), await hash(Object.fromEntries(otherwise)))
    assert.notEqual(await hash({ html: Buffer.from('a') }), await hash({ html: Buffer.from('b') }))
    assert.equal(await hash({ html: Buffer.from('a') }), await hash({ html: Buffer.from('a') }))
    // Requests may be repeated across an upgrade.
    assert.equal(await hash({ b: 2, a: 1 }), createHash('sha256').update('{"a":1,"b":2}\n').digest('hex'))
  })

  it('replays collections, records and rollbacks from their commits', async () => {
    const { services } = parts
    const twice = async <T>(work: () => Promise<T>): Promise<T> => {
      const first = await work()
      parts.pass(5)
      assert.deepEqual(await work(), first)
      return first
    }
    const keyed = (idempotencyKey: string) => parts.context({ idempotencyKey })
    const { data: collection } = await twice(() =>
      createCollection({ ...services, ...keyed('c') }, { name: 'Books', schema: { type: 'object' } }),
    )
    await twice(() => createRecord({ ...services, ...keyed('r') }, { id: collection.id, data: { title: 'Dune' } }))
    const { data: page } = await createPage({ ...services, ...keyed('p') }, { path: '/a', html: 'one' })
    await replacePage({ ...services, ...parts.context() }, { id: page.id, html: 'two' })
    await twice(() => rollbackPage({ ...services, ...keyed('b') }, { id: page.id, version: 1 }))
    // Nothing to undo: no commit, so the answer is kept in the catalog.
    const nothing = await twice(() => rollbackPage({ ...services, ...keyed('n') }, { id: page.id, version: 1 }))
    assert.equal(nothing.data.changed, false)
    assert.equal(commits(), 6)
  })

  it('ignores the trailer of a pushed commit, and keeps the first answer', async () => {
    const first = await create('k1')
    await withClone(parts.gitdir(), (folder) => {
      const message = git(folder, 'log', '-1', '--format=%B')
      writeFileSync(join(folder, 'a.html'), 'forged')
      git(
        folder,
        'commit',
        '--quiet',
        '--all',
        '-m',
        message.replace(/Idempotency-Key: \S+/, `Idempotency-Key: ${'0'.repeat(64)}`),
      )
      writeFileSync(join(folder, 'a.html'), 'forged again')
      git(folder, 'commit', '--quiet', '--all', '-m', message)
      git(folder, 'push', '--quiet')
    })
    await parts.untilSeen()
    assert.deepEqual(await create('k1'), first)
    assert.equal(commits(), 4)
  })

  it('replays a new site from the catalog', async () => {
    const make = (slug: string) => createSite(parts.call({ idempotencyKey: 's' }), { slug })
    const first = await make('second')
    assert.deepEqual(await make('second'), first)
    await assert.rejects(make('third'), refusal('idempotency_key_reused'))
    assert.equal((await listSites(parts.call(), {})).data.length, 2)
  })

  it('replays a new site that the next start, or a repeated request, made live', async () => {
    const catalog = openSqlite(join(parts.dataDir, 'catalog.db'), { synchronous: 'FULL' })
    const make = (slug: string) => createSite(parts.call({ idempotencyKey: slug }), { slug })
    catalog.exec("CREATE TRIGGER refuses BEFORE UPDATE OF state ON sites BEGIN SELECT RAISE(ABORT, 'no'); END")
    await assert.rejects(make('by-start'), refusal('outcome_unknown'))
    await assert.rejects(make('by-request'), refusal('outcome_unknown'))
    catalog.exec('DROP TRIGGER refuses')
    catalog.close()
    const { data: again } = await make('by-request')
    assert.equal(parts.services.catalog.sites.findBySlug('by-request')?.id, again.id)
    // Another process remembers only the contents of the catalog.
    const process = { ...parts.services, catalog: await openCatalog(parts.dataDir, { clock: parts.services.clock }) }
    const started = {
      ...process,
      idempotency: new IdempotencyGuard({ ...process, leases: new OwnLeases(), sortJson: sort }),
      provisioner: new Provisioner(process),
    }
    await started.provisioner.recover()
    const site = started.catalog.sites.findBySlug('by-start')
    const { data } = await createSite(
      { ...started, ...parts.context({ idempotencyKey: 'by-start' }) },
      { slug: 'by-start' },
    )
    assert.equal(data.id, site?.id)
    await started.catalog.close()
  })

  it('never replays a secret', async () => {
    const make = (label: string) => createKey(parts.call({ idempotencyKey: 's' }), { label })
    assert.match((await make('one')).data.key, /^pal_/)
    await assert.rejects(make('one'), refusal('secret_not_replayable'))
    await assert.rejects(make('two'), refusal('idempotency_key_reused'))
    const labels = (await parts.services.catalog.keys.list(parts.workspaceId)).map(({ label }) => label)
    assert.deepEqual(labels.toSorted(), ['Ada', 'one'])
  })
})
