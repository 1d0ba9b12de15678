// Neither HTTP nor a path takes the site's id away from its repository.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MAIN } from '../../git/scratch-repository.js'
import { git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { blob, commitSiteFile, siteFileOf } from '../../git/site-file.js'

describe('the id in .site.json', () => {
  let service: TestService
  const client = new RemoteGit()
  let clone: string

  before(async () => {
    service = await startTestService('site-file')
    const url = `http://git:${service.key}@127.0.0.1:${service.server.port}/git/site-file.git`
    await client.run('clone', '--quiet', url, 'clone')
    clone = client.path('clone')
  })
  after(async () => {
    await service.stop()
    client.remove()
  })

  const headNow = () => git(service.gitdir(), 'rev-parse', 'main')
  const push = (commit: string, ...args: string[]) =>
    client.attempt('-C', clone, 'push', ...args, 'origin', `${commit}:${MAIN}`)

  async function refused(commit: string, ...args: string[]): Promise<void> {
    const before = headNow()
    const { ok, stderr } = await push(commit, ...args)
    assert.equal(ok, false, stderr)
    assert.match(stderr, new RegExp(`\\.site\\.json holds the site's id and must stay\\. .*"id":"${service.site.id}"`))
    assert.equal(headNow(), before)
  }

  async function accepted(commit: string): Promise<void> {
    const { ok, stderr } = await push(commit)
    assert.ok(ok, stderr)
    assert.equal(headNow(), commit)
  }

  it('cannot be removed by a push, so that no later push can add another one', async () => {
    await client.in('clone', 'rm', '--quiet', '.site.json')
    await client.in('clone', 'commit', '--quiet', '-m', 'Remove')
    const removed = await client.in('clone', 'rev-parse', 'HEAD')
    await refused(removed)
    writeFileSync(join(clone, '.site.json'), siteFileOf(randomUUID()))
    await client.in('clone', 'add', '.site.json')
    await client.in('clone', 'commit', '--quiet', '-m', 'Add')
    const added = await client.in('clone', 'rev-parse', 'HEAD')
    await refused(added)
    await refused(added, '--force')
    await accepted(commitSiteFile(clone, added, blob(clone, siteFileOf(service.site.id))))
  })

  /** All kinds of entries are in test/repository/hooks/site-file.test.ts: all pushes go by these hooks. */
  it('cannot be replaced by a push', async () => {
    await refused(commitSiteFile(clone, headNow(), blob(clone, siteFileOf(randomUUID()))))
    await refused(commitSiteFile(clone, headNow(), blob(clone, siteFileOf(service.site.id), '120000')))
  })

  it('cannot be changed or removed by any other request', async () => {
    const before = headNow()
    const text = 'x'
    await service.api().put('/files?path=/other.txt').type('text/plain').send(text).expect(201)
    const answers = [
      service.api().put('/files?path=/.site.json').type('text/plain').send(text),
      service.api().delete('/files?path=/.site.json'),
      service.api().post('/files/move').send({ from: '/.site.json', to: '/taken.json' }),
      service.api().post('/files/move').send({ from: '/other.txt', to: '/.site.json' }),
      service.api().post('/files/rollback').send({ path: '/.site.json', version: before }),
      ...['putFile', 'deleteFile'].map((op) => {
        const operation = { op, path: '/.site.json', ...(op === 'putFile' && { text }) }
        return service
          .api()
          .post('/batch')
          .send({ operations: [operation] })
      }),
    ]
    for (const answer of answers) {
      const { status, body } = await answer
      assert.ok(status >= 400 && status < 500, `${status} ${JSON.stringify(body)}`)
    }
    assert.equal(git(service.gitdir(), 'show', 'main:.site.json'), siteFileOf(service.site.id).trim())
  })

  it('can be restored by a push if an operator removed it, but not with another id', async () => {
    const gitdir = service.gitdir()
    const start = headNow()
    const removed = commitSiteFile(gitdir, start, undefined)
    git(gitdir, 'update-ref', MAIN, removed)
    await client.in('clone', 'fetch', '--quiet')
    await refused(commitSiteFile(clone, removed, blob(clone, siteFileOf(randomUUID()))))
    const back = commitSiteFile(clone, removed, blob(clone, siteFileOf(service.site.id)))
    await accepted(back)
    for (const commit of [removed, back]) {
      const { body } = await service.api().post(`/sites/${service.site.id}/revert`).send({ commit }).expect(409)
      assert.match(body.error.message, /site file, which is never reverted/)
    }
    assert.equal(headNow(), back)
  })

  it('can be restored by a push of an operator if another id replaced it, and the site is served again', async () => {
    const gitdir = service.gitdir()
    await service.api().put('/pages?path=/page').type('text/html').send('<p>here').expect(201)
    await service.visit('/page').expect(200)
    const other = commitSiteFile(gitdir, headNow(), blob(gitdir, siteFileOf(randomUUID())))
    git(gitdir, 'update-ref', MAIN, other)
    await service.visit('/page').expect(503)
    rmSync(clone, { recursive: true })
    await client.run('clone', '--quiet', '--no-local', gitdir, 'clone')
    await accepted(commitSiteFile(clone, other, blob(clone, siteFileOf(service.site.id))))
    await service.visit('/page').expect(200, '<p>here')
  })
})
