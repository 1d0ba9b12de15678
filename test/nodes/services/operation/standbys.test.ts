// Nodes on a primary whose setting `synchronous_standby_names` the operator changes: where more standbys than one could confirm a
// write, one can be promoted while the primary goes on with another.

import assert from 'node:assert/strict'
import type { PostgresServer } from '../../../servers/postgres-server.js'
import { INVALID_STANDBY_NAMES, STANDBY_NAMES } from '../../postgres/standby-names.js'
import { until, within } from '../../../support/within.js'
import { runPalimpsest } from '../../../scenarios/serve-process.js'
import { NodeServices } from '../node-services.js'
import { requestAs } from '../request-as.js'

const REASON = /^(?:ServiceError: )?More than one standby of PostgreSQL could confirm a write: .* set FENCED=1\.$/
const PATIENCE_MS = 30_000
const NODE = 0

describe('nodes on a primary that several standbys follow', function () {
  this.timeout(120_000)
  let services: NodeServices
  const standbys: PostgresServer[] = []
  let pages = 0

  before(async function () {
    services = await NodeServices.start()
    for (const name of ['one', 'two']) standbys.push(await services.database.addStandby(services.database.port, name))
    await waitFor('one')
  })
  after(async () => {
    await services?.database.waitForStandbys('')
    await services?.stop()
    for (const standby of standbys) await standby.remove()
  })

  const publish = async (node: number, patienceMs = 0) =>
    await services.ask(node, 'POST', '/pages', { path: `/page-${pages++}`, html: '<p>page' }, { patienceMs })

  /** On a busy machine a node may for a while refuse the site itself, which says nothing about standbys. */
  const refuse = async (method: string, path: string, body?: object) =>
    await until(
      () => services.ask(NODE, method, path, body, { patienceMs: 0 }),
      (answer) => answer.body.error?.code !== 'site_busy',
    )

  const stateOf = async (node: number) => {
    const { body } = await requestAs(services.at(node).port, { path: '/readyz?verbose=1' })
    return (body as { writeFault: string | null }).writeFault
  }

  /** Sets it, and waits until the first node has seen it. */
  async function waitFor(names: string): Promise<void> {
    await services.database.waitForStandbys(names)
    await until(
      async () => (await services.database.query('show synchronous_standby_names'))[0]?.['synchronous_standby_names'],
      (found) => found === names,
    )
  }

  it('read its setting as PostgreSQL does', async () => {
    const { database } = services
    for (const { text } of STANDBY_NAMES) await database.query(`alter system set synchronous_standby_names = '${text}'`)
    for (const text of INVALID_STANDBY_NAMES)
      await assert.rejects(
        database.query(`alter system set synchronous_standby_names = '${text}'`),
        /invalid value/,
        text,
      )
  })

  it('take writes while one alone confirms them, or all have to', async () => {
    for (const names of ['one', '2 (one, two)']) {
      await waitFor(names)
      assert.equal((await publish(NODE, PATIENCE_MS)).status, 201, names)
      assert.equal(await stateOf(NODE), null)
    }
  })

  it('refuse writes, and say why, once more than one could confirm them; and read on', async () => {
    await waitFor('ANY 1 (one, two)')
    await until(
      () => stateOf(NODE),
      (fault) => fault !== null,
    )
    assert.match((await stateOf(NODE)) ?? '', REASON)
    const health = await requestAs(services.at(NODE).port, { path: '/healthz?verbose=1' })
    assert.match(health.body.node.writeFault, REASON)
    const before = await countEntries()
    const [{ id }] = (await services.ask(NODE, 'GET', '/pages')).body.data
    const refused = [
      await refuse('POST', '/pages', { path: '/late', html: '<p>late' }),
      await refuse('DELETE', `/pages/${id}`),
      await refuse('POST', '/keys', { label: 'late' }),
      await refuse('POST', '/sites', { slug: 'late' }),
    ]
    for (const { status, body } of refused) {
      assert.deepEqual([status, body.error.code], [503, 'storage_failed'])
      assert.match(body.error.message, REASON)
    }
    assert.equal(await countEntries(), before)
    assert.equal((await services.visit(NODE, 'demo', '/page-0')).status, 200)
    assert.equal((await services.ask(NODE, 'GET', '/pages')).status, 200)
    assert.equal((await requestAs(services.at(NODE).port, { path: '/readyz' })).status, 200)
    // On a busy machine PostgreSQL reads its settings late. The node may then see one that the first test only tried, and log that.
    const logged = services.nodes[NODE]?.logged.filter(({ msg }) => msg.startsWith('this node takes no writes: ')) ?? []
    const names = logged.map(({ standbyNames }) => standbyNames)
    assert.ok(names.length > 0)
    assert.deepEqual(names, [...new Set(names)], 'each is logged once')
  })

  it('that start meanwhile read and write nothing, but where the operator fences', async () => {
    await services.add()
    await services.add({ FENCED: '1' })
    const [unfenced, fenced] = [services.nodes.length - 2, services.nodes.length - 1]
    await within(PATIENCE_MS, async () => assert.match((await publish(unfenced)).body.error.message, REASON))
    assert.equal((await services.visit(unfenced, 'demo', '/page-0')).status, 200)
    assert.equal((await publish(fenced, PATIENCE_MS)).status, 201)
    assert.equal(await stateOf(fenced), null)
  })

  it('have no command of the operator write anything', async () => {
    const env = { DATABASE_URL: services.url, DATA_DIR: services.nodes[NODE]?.dataDir ?? '' }
    const refused = await runPalimpsest(env, 'keys', 'create', '--scopes', 'read')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /More than one standby of PostgreSQL could confirm a write/)
    assert.equal((await runPalimpsest(env, 'signing', 'rotate')).code, 1)
    assert.equal((await runPalimpsest({ ...env, FENCED: '1' }, 'keys', 'create', '--scopes', 'read')).code, 0)
  })

  it('do not begin on an empty database', async () => {
    const url = await services.database.createDatabase()
    await assert.rejects(services.add({ DATABASE_URL: url }), REASON)
  })

  it('take writes again once one alone confirms them', async () => {
    await waitFor('one')
    assert.equal((await publish(NODE, PATIENCE_MS)).status, 201)
    assert.equal(await stateOf(NODE), null)
  })

  it('refuse writes while two standbys have the name that confirms them', async () => {
    standbys.push(await services.database.addStandby(services.database.port, 'One'))
    await within(PATIENCE_MS, async () => assert.match((await publish(NODE)).body.error.message, REASON))
    await standbys.pop()?.remove()
    assert.equal((await publish(NODE, PATIENCE_MS)).status, 201)
  })

  async function countEntries(): Promise<unknown> {
    return (await services.database.query('select count(*) from log.entries', services.url))[0]?.['count']
  }
})
