// A node whose program is older than a contract step, which another node has taken, allows to write.

import assert from 'node:assert/strict'
import { NodeServices } from '../node-services.js'
import { until } from '../../../support/within.js'

const NEEDED = 1000

describe('a node whose program is too old for the tables', () => {
  let services: NodeServices

  before(async function () {
    services = await NodeServices.start()
    const { status } = await services.ask(0, 'POST', '/pages', { path: '/before', html: '<p>before' })
    assert.equal(status, 201)
    await services.database.query(`UPDATE palimpsest.min_version SET version = ${NEEDED}`, services.url)
  })
  after(() => services?.stop())

  it('refuses writes to a site or to the catalog, and stores nothing of them', async () => {
    const patienceMs = 0
    const page = await services.ask(0, 'POST', '/pages', { path: '/late', html: '<p>late' }, { patienceMs })
    assert.deepEqual([page.status, page.body.error.code], [503, 'storage_failed'])
    const key = await services.ask(0, 'POST', '/keys', { label: 'late' }, { patienceMs })
    assert.deepEqual([key.status, key.body.error.code], [503, 'storage_failed'])
    assert.match(key.body.error.message, /too old to write\. Send the request to another node/)
    const rows = await services.database.query("SELECT 1 FROM log.entries WHERE message LIKE '%late%'", services.url)
    assert.deepEqual(rows, [])
  })

  it('continues to read, and says so in its log once', async () => {
    const lines = await until(
      async () => services.nodes[0]?.logged.filter(({ msg }) => msg.startsWith('this program is too old')) ?? [],
      ({ length }) => length > 0,
    )
    assert.deepEqual([lines.length, lines[0]?.['needed']], [1, NEEDED])
    assert.equal((await services.visit(1, 'demo', '/before')).text, '<p>before')
    assert.equal((await services.ask(1, 'GET', '/pages')).status, 200)
  })

  it('does not start, and says what to do', async () => {
    await assert.rejects(services.add(), /belongs to a newer version of Palimpsest.* Upgrade this node/)
  })
})
