import assert from 'node:assert/strict'
import { assertSound, git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { type Page, put } from '../client.js'
import { PATIENCE_MS, within } from '../../support/within.js'
import { runPalimpsest } from '../serve-process.js'

describe('a main rewritten without the hook', () => {
  let service: TestService
  let kept: Page
  let lost: Page

  beforeEach(async () => {
    service = await startTestService()
    kept = await put(service.api(), '/kept', 'kept')
    lost = await put(service.api(), '/lost', 'lost')
    const past = ['-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', kept.version.id]
    git(service.gitdir(), ...past)
  })
  afterEach(() => service.stop())

  const lostRefs = () => git(service.gitdir(), 'for-each-ref', '--format=%(objectname)', 'refs/palimpsest/lost/')

  it('keeps the old tip, is indexed again, and is reported by fsck', async () => {
    await within(PATIENCE_MS, async () => {
      assert.equal((await service.visit('/lost')).status, 404)
      assert.equal((await service.api().get(`/pages/${lost.id}`)).status, 404)
    })
    const { body } = await service.api().get(`/pages/${kept.id}`)
    assert.deepEqual([body.data.html, body.data.version], ['kept', { id: kept.version.id, number: 1 }])
    assert.equal(lostRefs(), lost.version.id)

    const { code, stdout } = await runPalimpsest({ DATA_DIR: service.dataDir }, 'fsck', service.site.slug)
    assert.equal(code, 1)
    assert.match(
      stdout,
      new RegExp(`${service.site.slug}: main lost commits: .*refs/palimpsest/lost/${lost.version.id}`),
    )
  })

  it('keeps the old tip when an API write comes first, and accepts that write', async () => {
    const next = await put(service.api(), '/next', 'next')
    assert.equal(git(service.gitdir(), 'rev-parse', `${next.version.id}^`), kept.version.id)
    assert.equal(lostRefs(), lost.version.id)
    await within(PATIENCE_MS, async () => assert.equal((await service.visit('/lost')).status, 404))
    assertSound(service.gitdir())
  })

  it('is sound again once the operator puts the commits back', async () => {
    await within(PATIENCE_MS, async () => {
      await service.api().get('/pages')
      assert.equal(lostRefs(), lost.version.id)
    })
    git(service.gitdir(), 'update-ref', 'refs/heads/main', lost.version.id)
    git(service.gitdir(), 'update-ref', '-d', `refs/palimpsest/lost/${lost.version.id}`)
    await within(PATIENCE_MS, async () => {
      assert.equal((await service.visit('/lost')).text, 'lost')
      assert.equal((await service.api().get(`/pages/${lost.id}`)).status, 200)
    })
    const { code } = await runPalimpsest({ DATA_DIR: service.dataDir }, 'fsck', service.site.slug)
    assert.equal(code, 0)
  })
})
