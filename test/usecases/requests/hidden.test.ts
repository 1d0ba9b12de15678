// Change requests are hidden from everybody who fetches the site with git.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runGit } from '../../scenarios/operators/operator.js'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('the branches of change requests', () => {
  let service: TestService
  let folder: string

  before(async () => {
    service = await startTestService()
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-hidden-'))
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('are not offered to a clone or a fetch of the site, nor is any object of theirs', async () => {
    const { key } = await service.mint({ scopes: ['admin'] })
    const api = service.api(key)
    await api.post('/pages').send({ path: '/live', html: 'live' }).expect(201)
    await api.post('/pages?changeRequest=new').send({ path: '/secret', html: 'secret' }).expect(201)
    const drafts = join(service.dataDir, 'drafts', service.gitdir().replace(/^.*\//, ''))
    const [id = ''] = git(drafts, 'for-each-ref', '--format=%(refname:short)').split('\n')
    const { body } = await api.get('/sites').expect(200)
    const url = new URL((body as { data: { cloneUrl: string }[] }).data[0]?.cloneUrl ?? '')
    const { port } = new URL(service.origin)
    const remote = `http://any:${key}@127.0.0.1:${port}${url.pathname}`
    assert.equal((await runGit(folder, 'ls-remote', remote)).stdout.includes(git(drafts, 'rev-parse', id)), false)
    assert.equal((await runGit(folder, 'clone', '--quiet', remote, 'clone')).code, 0)
    for (const what of [id, `${id}:secret.html`, `${id}^{tree}`]) {
      const oid = git(drafts, 'rev-parse', what)
      const { code, stderr } = await runGit(join(folder, 'clone'), 'fetch', remote, oid)
      assert.notEqual(code, 0)
      assert.match(stderr, /not our ref/)
      assert.throws(() => git(join(folder, 'clone'), 'cat-file', '-e', oid))
    }
  })
})
