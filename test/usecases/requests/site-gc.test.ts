import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { randomBytes } from 'node:crypto'
import { runHere } from '../../programs/shell.js'
import { assertSound, git } from '../../support/git.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'
import { RequestWork } from './request-work.js'

const run = promisify(execFile)
const REQUESTS = 3
const WRITES = 4
/** Nearly as many as html may have. */
const LARGE_BYTES = 1_000_000

describe('git gc --prune=now in a site with open change requests', () => {
  let parts: ServiceParts
  let work: RequestWork

  before(async () => {
    parts = await openServiceParts()
    work = new RequestWork(parts)
  })
  after(() => parts.stop())

  const gc = async () => void (await run('git', ['-C', parts.gitdir(), 'gc', '--quiet', '--prune=now']))
  const branches = (count: number) => Promise.all(Array.from({ length: count }, (_, at) => work.begin(`Request ${at}`)))

  it('beside writes, updates and publishes loses nothing of any, and each can be published after it', async () => {
    await work.put(parts.site, '/shared', 'first')
    const all = await branches(REQUESTS)
    const over = new AbortController()
    const collect = async () => {
      while (!over.signal.aborted) await gc()
    }
    const write = async (at: number) => {
      const branch = all[at] ?? assert.fail()
      for (let page = 0; page < WRITES; page++) {
        await work.put(branch, `/request-${at}-${page}`, `of ${at}, ${page}`)
        await work.put(parts.site, `/main-${at}-${page}`, 'main')
        if (page % 2 === 1) await work.update(branch)
      }
      await work.put(branch, `/request-${at}-large`, randomBytes(LARGE_BYTES / 2).toString('hex'))
      // The first is published while git collects.
      if (at === 0) await work.publish(branch)
    }
    const collected = collect()
    await Promise.all(all.map((_, at) => write(at)))
    over.abort()
    await collected
    await gc()
    git(work.drafts, 'fsck', '--full', '--strict')
    for (const branch of all.slice(1)) await work.publish(branch)
    await gc()
    for (const at of all.keys()) {
      for (let page = 0; page < WRITES; page++)
        assert.equal(work.show(`request-${at}-${page}.html`), `of ${at}, ${page}`)
      assert.equal(work.show(`request-${at}-large.html`).length, LARGE_BYTES)
    }
    assertSound(parts.gitdir())
    git(work.drafts, 'fsck', '--full', '--strict')
  })

  it('removes nothing that a request only borrows from what main no longer reaches in files', async () => {
    const [kept = assert.fail(), other = assert.fail()] = await branches(2)
    // The site has these bytes, and nothing of main reaches them.
    runHere({ command: ['git', '-C', parts.gitdir(), 'hash-object', '-w', '--stdin'], input: 'only here' })
    await work.put(kept, '/only-here', 'only here')
    await work.put(parts.site, '/taken-back', 'taken back')
    await work.put(other, '/taken-back-too', 'taken back')
    await work.unpublish(parts.site, '/taken-back')
    await gc()
    git(work.drafts, 'fsck', '--full', '--strict')
    for (const branch of [kept, other]) await work.publish(branch)
    await gc()
    assert.deepEqual([work.show('only-here.html'), work.show('taken-back-too.html')], ['only here', 'taken back'])
    assertSound(parts.gitdir())
  })
})
