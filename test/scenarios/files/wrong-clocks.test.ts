// Commits whose clock is wrong, as a push brings them: what visitors are told of dates.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, withClone } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('a file that a commit with a wrong clock changes', () => {
  let service: TestService
  before(async () => (service = await startTestService()))
  after(() => service.stop())

  const pushAt = async (date: string, text: string) => {
    await withClone(service.gitdir(), (clone) => {
      for (const name of ['page.html', 'file.txt']) writeFileSync(join(clone, name), text)
      git(clone, 'add', '.')
      const dated = `GIT_COMMITTER_DATE=${date}`
      git(clone, '-c', `alias.dated=!${dated} git commit --quiet --message=${text}`, 'dated')
      git(clone, 'push', '--quiet')
    })
    // The index tells the dates.
    await service.api().get('/pages').expect(200)
  }
  const targets = ['/page', '/file.txt']
  const lastModified = async (target: string) => (await service.visit(target).expect(200)).get('Last-Modified')

  it('never has an earlier date than before, so that a client who knows only dates gets the new bytes', async () => {
    await pushAt('2026-01-02T00:00:00Z', 'v1')
    const known = await Promise.all(targets.map(lastModified))
    assert.deepEqual(known, ['Fri, 02 Jan 2026 00:00:00 GMT', 'Fri, 02 Jan 2026 00:00:00 GMT'])
    await pushAt('2020-01-02T00:00:00Z', 'v2')
    for (const target of targets) {
      await service
        .visit(target)
        .set('If-Modified-Since', known[0] ?? '')
        .expect(200, 'v2')
      assert.equal(await lastModified(target), 'Fri, 02 Jan 2026 00:00:01 GMT')
      await service.visit(target).set('If-Modified-Since', 'Fri, 02 Jan 2026 00:00:01 GMT').expect(304)
    }
    await pushAt('2026-02-02T00:00:00Z', 'v3')
    for (const target of targets) assert.equal(await lastModified(target), 'Mon, 02 Feb 2026 00:00:00 GMT')
  })

  it('has no date in the future, neither in the sitemap, and the date of the next write through the service', async () => {
    await pushAt('2099-01-02T00:00:00Z', 'future')
    for (const target of targets) assert.equal(await lastModified(target), undefined)
    assert.doesNotMatch((await service.visit('/sitemap.xml').expect(200)).text, /2099/)
    await service.api().put('/pages?path=/page').type('text/html').send('now').expect(200)
    await service.api().get('/pages').expect(200)
    assert.match((await lastModified('/page')) ?? '', / 20(?!99)\d\d /)
  })
})
