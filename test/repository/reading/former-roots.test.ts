import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OpenSites } from '../../../src/protocols/host/reading/open-sites.js'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import { Troubles } from '../../../src/repository/health/troubles.js'
import { SiteReader } from '../../../src/repository/reading/site-reader.js'
import type { Snapshot } from '../../../src/repository/reading/snapshot.js'
import { nextCommit } from '../protocol/repository-contract.js'

const TIME = 1_790_000_000
/** More than a reader keeps open. */
const COMMITS = 12

describe('the root folder of a site, read after each of many writes', () => {
  const site = { id: randomUUID(), slug: 'demo' }
  let dataDir: string
  let spent = 0
  let repositories: DiskRepositories

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-roots-'))
    repositories = new DiskRepositories(dataDir, { spend: (bytes) => void (spent += bytes) })
    repositories.create(site, TIME)
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  /** Reads the site after each commit. Returns the first and the last commit that were read. */
  async function readEach(read: (commit: string) => Snapshot): Promise<{ first: Snapshot; last: Snapshot }> {
    const writer = repositories.openForWriting(site)
    const found: Snapshot[] = []
    for (let number = 0; number < COMMITS; number++) {
      await writer.untilHeadIsDurable()
      const next = nextCommit(writer.headToBuildOn(), `text ${number}`)
      assert.equal(writer.commit(next), 'done')
      const snapshot = read(next.next)
      assert.ok(snapshot.entry('a.html'))
      found.push(snapshot)
    }
    writer.close()
    const [first, last] = [found[0], found.at(-1)]
    if (first === undefined || last === undefined) throw new Error('nothing was read')
    return { first, last }
  }

  /** Whether the snapshot's root is read from the disk now. */
  function isReadAgain(snapshot: Snapshot): boolean {
    spent = 0
    snapshot.entry('a.html')
    return spent > 0
  }

  it("stays in memory for the newest only, for the service's own reader", async () => {
    const troubles = new Troubles({ clock: () => new Date() })
    const reader = new SiteReader({ repositories, troubles, hearsOfEveryWrite: false })
    const { first, last } = await readEach(() => reader.snapshot(site))
    assert.deepEqual([first, last].map(isReadAgain), [true, false])
    reader.closeAll()
  })

  it('stays in memory for the last few only, for the reader of visitors', async () => {
    const sites = new OpenSites(repositories, (error) => assert.fail(String(error)))
    const { first, last } = await readEach((commit) => sites.head(site, commit))
    assert.deepEqual([first, last].map(isReadAgain), [true, false])
    sites.forget(site)
  })
})
