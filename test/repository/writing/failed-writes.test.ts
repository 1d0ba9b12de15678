import assert from 'node:assert/strict'
import { hashObject } from '../../../src/git/objects/object.js'
import { removePack } from '../../../src/git/streams/pack-stream.js'
import type { Write } from '../../../src/repository/protocol/write.js'
import { assertSound } from '../../support/git.js'
import { BatchSite } from './batch-site.js'

describe('a write that fails in a batch', () => {
  let begun: BatchSite
  let site: BatchSite
  before(async () => {
    begun = await BatchSite.begin()
  })
  beforeEach(() => {
    site = new BatchSite(begun)
  })
  afterEach(() => site.close())
  after(() => begun.close())

  /** Its author may not write there, which shows once its tree has taken the place of the site's. */
  const refusedDeploy = async (): Promise<Write> => ({
    ...(await site.deploy({ 'refused.html': 'refused', 'in/deep/refused.css': 'p {}' })),
    paths: ['/elsewhere/*'],
  })

  it('does not take objects of an earlier deploy from later writes', async () => {
    const deploy = await site.deploy({ 'in/deep/new.html': 'new', 'in/deep/new.css': 'p {}' })
    const outcomes = await site.write(deploy, await refusedDeploy(), site.putPage('/in/deep/behind', 'behind'))
    assert.deepEqual(outcomes, ['changed', 'path_not_allowed', 'changed'])
    assertSound(site.gitdir)
  })

  it('brings no objects: later writes do not find those in its packs', async () => {
    const refused = await refusedDeploy()
    const blob = hashObject('blob', Buffer.from('refused'))
    const rollBack = site.rollBack('/old', site.commits.firstOld, blob)
    const [, outcome] = await site.write(refused, rollBack)
    assert.notEqual(outcome, 'changed')
    assert.deepEqual(await site.write(site.putPage('/fresh', 'fresh')), ['changed'])
    assertSound(site.gitdir)
  })

  it('fails the whole batch if it fails after its tree is built, so that no later commit includes it', async () => {
    const { head } = site
    let signed = 0
    site.sign = (commit) => {
      if (++signed === 2) throw Object.assign(new Error('the key cannot be read'), { syscall: 'open' })
      return commit
    }
    const deploy = await site.deploy({ 'in/new.html': 'new', 'in/new.css': 'p {}' })
    const writes = [site.putPage('/first', 'first'), deploy, site.putPage('/in/behind', 'behind')]
    assert.deepEqual(await site.write(...writes), ['storage_failed', 'storage_failed', 'storage_failed'])
    assert.equal(site.head, head)
    assert.deepEqual(await site.write(...writes), ['changed', 'changed', 'changed'])
    assertSound(site.gitdir)
  })

  it('fails alone if its upload is gone', async () => {
    const deploy = await site.deploy({ 'gone.html': 'gone' })
    const [gone] = deploy.packs ?? []
    await removePack(gone?.path ?? '')
    const outcomes = await site.write(site.putPage('/first', 'first'), deploy, site.putPage('/behind', 'behind'))
    assert.deepEqual(outcomes, ['changed', 'storage_failed', 'changed'])
    assertSound(site.gitdir)
  })
})
