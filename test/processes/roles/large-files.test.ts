import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { listProcesses } from '../../programs/processes.js'
import { git, withClone } from '../../support/git.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { useBeside } from './beside.js'
import { visitAnew } from './visits.js'

const LARGE_BYTES = 24 * 1024 * 1024

describe('a large file that git has deflated', () => {
  const beside = useBeside()
  let visitor: Socket | undefined

  before(() =>
    withClone(beside.gitdir('demo'), (clone) => {
      writeFileSync(join(clone, 'large.bin'), Buffer.alloc(LARGE_BYTES, 'x'))
      git(clone, 'add', '.')
      git(clone, 'commit', '--quiet', '--message', 'Add a large file')
      git(clone, 'push', '--quiet')
    }),
  )
  afterEach(() => visitor?.destroy())

  function readers(): number {
    return listProcesses().filter(
      ({ command }) => command.includes(beside.dataDir) && command.includes('cat-file blob'),
    ).length
  }

  /** Reads the first bytes of the file, and no more. */
  async function beginVisit(port: number): Promise<Socket> {
    visitor = connect(port, '127.0.0.1')
    visitor.write('GET /large.bin HTTP/1.1\r\nHost: demo.localhost\r\n\r\n')
    const [bytes] = (await once(visitor, 'data')) as [Buffer]
    visitor.pause()
    assert.match(bytes.toString('latin1', 0, 20), /^HTTP\/1\.1 200 /)
    return visitor
  }

  for (const role of ['api', 'sites'] as const)
    it(`is served completely by ${role}, and read by a program that ends with the visit`, async () => {
      const { port } = role === 'api' ? beside.api : beside.sites[0]
      const { status, body } = await visitAnew(port, 'demo', '/large.bin')
      assert.deepEqual([status, body === 'x'.repeat(LARGE_BYTES)], [200, true])
      const begun = await beginVisit(port)
      await within(PATIENCE_MS, () => assert.equal(readers(), 1))
      begun.destroy()
      await within(PATIENCE_MS, () => assert.equal(readers(), 0))
    })

  it('is no longer read if its process is killed', async () => {
    const [sites] = beside.sites
    await beginVisit(sites.port)
    sites.signal('SIGKILL')
    await within(PATIENCE_MS, () => assert.equal(readers(), 0))
  })
})
