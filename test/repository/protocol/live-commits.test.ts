import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LiveCommit, LiveCommits } from '../../../src/repository/protocol/live-commits.js'
import { Store } from '../../../src/repository/store.js'
import { git } from '../../support/git.js'

const COMMIT: LiveCommit = { site: { id: 'site-demo', slug: 'demo' }, commit: '1'.repeat(40) }

const TIME = 1_790_000_000

describe('a commit that became live', () => {
  it('is told to each listener before the teller goes on', () => {
    const heard: string[] = []
    const live = new LiveCommits(() => assert.fail('no listener fails'))
    for (const name of ['first', 'second'])
      live.onLive(({ site, commit }) => void heard.push(`${name} ${site.slug} ${commit.slice(0, 3)}`))
    live.tell(COMMIT)
    assert.deepEqual(heard, ['first demo 111', 'second demo 111'])
  })

  it('is told to the other listeners even if one throws or rejects', async () => {
    const failures: unknown[] = []
    let heard = 0
    const live = new LiveCommits((error) => failures.push(error))
    live.onLive(() => {
      throw new Error('thrown')
    })
    live.onLive(() => Promise.reject(new Error('rejected')))
    live.onLive(() => void heard++)
    live.tell(COMMIT)
    assert.equal(heard, 1)
    await nextTurn()
    assert.deepEqual(failures.map(String), ['Error: thrown', 'Error: rejected'])
  })

  it('is told when a push has moved main, and not when it left main where it was', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-live-'))
    const store = new Store({ dataDir, limits: { writerThreads: 1, diskReserveBytes: 0 } })
    const { site } = COMMIT
    const heard: string[] = []
    store.live.onLive(({ commit }) => void heard.push(commit))
    try {
      await store.writers.createRepository(site, TIME)
      const gitdir = store.repositories.gitdir(site)
      const expected = store.reader.head(site)
      const next = git(gitdir, 'commit-tree', '-p', 'main', '-m', 'Pushed', 'main^{tree}')
      const push = { expected, packs: [], time: TIME, by: 'Ada' }
      assert.equal(await store.refMover.moveMain(site, { ...push, next: expected }), 'done')
      assert.deepEqual(heard, [])
      assert.equal(await store.refMover.moveMain(site, { ...push, next }), 'done')
      assert.deepEqual(heard, [next])
    } finally {
      await store.close()
      rmSync(dataDir, { recursive: true, force: true })
    }
  })
})
