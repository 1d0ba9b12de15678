// A node that fetches many sites: its answers meanwhile, and its report of the work.

import assert from 'node:assert/strict'
import { git } from '../../../support/git.js'
import { NodeServices } from '../node-services.js'
import { requestAs } from '../request-as.js'
import { until } from '../../../support/within.js'

/** More than requests wait for. */
const SITES = 24

describe('a node that joins others with many sites', function () {
  this.timeout(120_000)
  let services: NodeServices
  const slugs = Array.from({ length: SITES }, (_, i) => `site-${i}`)
  const linesOf = (node: number) => services.nodes[node]?.logged ?? []

  before(async function () {
    services = await NodeServices.start()
    for (const slug of slugs) {
      const { status } = await services.ask(0, 'POST', '/sites', { slug })
      assert.equal(status, 201)
    }
    await services.add()
  })
  after(() => services?.stop())

  it('shows each site in its current state or refuses it, and soon has them all', async () => {
    for (const slug of slugs) {
      const { status } = await requestAs(services.at(2).port, {
        path: '/',
        host: `${slug}.sites.example`,
        patienceMs: 0,
      })
      assert.ok([404, 503].includes(status), `${slug}: ${status}`)
    }
    await until(
      async () => linesOf(2).filter(({ msg }) => msg.startsWith('joined')),
      ({ length }) => length > 0,
    )
    for (const slug of slugs)
      assert.equal(
        git(services.gitdir(2, slug), 'rev-parse', 'main'),
        git(services.gitdir(0, slug), 'rev-parse', 'main'),
      )
  })

  it('reports what it fetches and when it has all, but not as a trouble', () => {
    const said = linesOf(2).filter(({ msg }) => msg.startsWith('join'))
    assert.match(said.at(-1)?.msg ?? '', /^joined: /)
    assert.equal(said.at(-1)?.['refused'], 0)
    for (const line of said.slice(0, -1)) {
      assert.ok(Number(line['sitesBehind']) > 0 && Number(line['sitesBehind']) <= SITES + 1, JSON.stringify(line))
      assert.ok(Number(line['entriesBehind']) >= 0, JSON.stringify(line))
    }
    assert.deepEqual(
      linesOf(2).filter(({ msg }) => msg.startsWith('trouble')),
      [],
    )
  })

  it('reports when it leaves', async () => {
    const joined = services.nodes.pop()
    await joined?.server.stop()
    const lines = joined?.logged.map(({ msg }) => msg) ?? []
    assert.match(lines.at(-2) ?? '', /^stopping: /)
    assert.match(lines.at(-1) ?? '', /^left: /)
  })
})
