import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { readLargeBlob } from '../../../src/git/storage/large-blob.js'
import { OperatorPause } from '../../../src/repository/disk/operator-pause.js'
import { prepareRevert } from '../../../src/repository/reverting/prepare-revert.js'
import { Store } from '../../../src/repository/store.js'
import { git } from '../../support/git.js'
import { publishPage } from './publish-page.js'

const LIMITS = { writerThreads: 1, diskReserveBytes: 0 }
const HTML = 'a page\n'
const text = (first: string, last: string) => `${first}\n${'middle\n'.repeat(20)}${last}\n`

describe('a busy site', () => {
  const site = { id: randomUUID(), slug: 'demo' }
  let dataDir: string
  let store: Store
  let gitdir: string
  let operatorPause: OperatorPause
  let now: number
  /** Asked of git beforehand, because only an operator would ask git later. */
  let oids: Record<'blob' | 'first' | 'edit' | 'last', string>

  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-own-git-'))
    store = new Store({ dataDir, limits: LIMITS })
    await store.createSite(site, 1_790_000_000)
    gitdir = store.repositories.gitdir(site)
    await publishPage(store, site, '/one', HTML)
    const versions = [text('one', 'one'), text('two', 'one'), text('two', 'two')]
    for (const version of versions) await putText(version)
    oids = {
      blob: oidOf('main:one.html'),
      first: oidOf('main~2'),
      edit: oidOf('main~1'),
      last: oidOf('main'),
    }
  })
  after(async () => {
    await store.close()
    rmSync(dataDir, { recursive: true, force: true })
  })
  beforeEach(() => {
    // Written a while ago: the kernel's times are coarse, and a reading must be seen to come after.
    utimesSync(join(gitdir, 'config'), 1_700_000_000, 1_700_000_000)
    operatorPause = new OperatorPause(gitdir)
    now = 0
    for (let batch = 0; batch < 3; batch += 1) assert.equal(look(), 0)
  })

  /** Returns how long the next batch waits. */
  const look = () => operatorPause.holdFor((now += 10))
  const oidOf = (revision: string) => git(gitdir, 'rev-parse', revision)

  const putText = async (content: string) => {
    const operation = {
      kind: 'put-file',
      path: 'text',
      blob: { content: Buffer.from(content) },
      ifAbsent: false,
    } as const
    await store.write(site, { operation, author: 'Ada', time: 1_790_000_000, trailers: [] })
  }

  /** Batches follow one another while `work` is under way, and one comes after it. */
  async function longestHoldBeside(work: Promise<unknown>): Promise<number> {
    const state = { isOver: false }
    const end = work.finally(() => (state.isOver = true))
    let longest = 0
    for (; !state.isOver; await pause(1)) longest = Math.max(longest, look())
    await end
    return Math.max(longest, look())
  }

  async function readWithGit(oid: string): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of readLargeBlob({ gitdir, oid, size: HTML.length })) chunks.push(chunk)
    assert.equal(Buffer.concat(chunks).toString(), HTML)
  }

  it("keeps main still when an operator's git is seen", () => {
    git(gitdir, 'config', '--get', 'core.bare')
    assert.equal(look(), 400)
  })

  it('takes writes while a visitor gets a large file from git', async () => {
    assert.equal(await longestHoldBeside(readWithGit(oids.blob)), 0)
  })

  it('takes writes while git merges the files of a revert', async () => {
    const revert = prepareRevert(store.repositories, site, { head: oids.last, commits: [oids.edit], withheld: [] })
    assert.equal(await longestHoldBeside(revert), 0)
    const { edits } = await revert
    assert.deepEqual(
      edits.map(({ path, content }) => [path, String(content)]),
      [['text', text('one', 'two')]],
    )
  })

  it('takes writes while git lists its history', async () => {
    const { first, edit, last } = oids
    const history = store.repositories.historyFrom(site, first, last)
    assert.equal(await longestHoldBeside(history), 0)
    assert.deepEqual(await history, [last, edit, first])
  })

  it('takes writes while it is maintained', async () => {
    assert.equal(await longestHoldBeside(store.repositories.maintain(site)), 0)
  })

  it('takes writes once a push of an operator has landed', () => {
    git(gitdir, 'config', '--get', 'core.bare')
    operatorPause.pushLanded()
    assert.equal(look(), 0)
  })

  it('takes writes once a push over HTTP has landed', () => {
    for (const isComingIn of [false, true]) assert.equal(operatorPause.expectPush((now += 10), isComingIn), 0)
    git(gitdir, 'config', '--get', 'core.bare')
    assert.ok(look() > 0)
    operatorPause.endPush((now += 100))
    for (let batch = 0; batch < 50; batch += 1) assert.equal(look(), 0)
  })
})
