// A push of one tag more than a site keeps in files of their own. git runs the site's hook twice for each that it packs, which takes a while.

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeLooseTags } from '../../git/scratch-repository.js'
import { git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startOwnService, type TestService } from '../../support/service.js'
import { until } from '../../support/within.js'

describe('a push of a tag', () => {
  let service: TestService
  const client = new RemoteGit()

  before(async () => {
    service = await startOwnService()
  })
  after(async () => {
    await service.stop()
    client.remove()
  })

  it('packs the tags of a site if more than 500 are loose', async () => {
    const gitdir = service.gitdir()
    const url = `http://git:${service.key}@127.0.0.1:${service.server.port}/git/demo.git`
    await client.run('clone', '--quiet', url, 'clone')
    const names = Array.from({ length: 500 }, (_, i) => `loose-${i}`)
    writeLooseTags(gitdir, names, git(gitdir, 'rev-parse', 'main'))
    const loose = () => readdirSync(join(gitdir, 'refs/tags')).filter((name) => name.startsWith('loose-'))
    assert.equal(loose().length, 500)
    await client.in('clone', 'tag', 'one-more')
    await client.in('clone', 'push', '--quiet', 'origin', 'one-more')
    await until(loose, ({ length }) => length === 0)
    const listed = await client.run('ls-remote', '--tags', url, 'loose-*', 'one-more')
    assert.equal(listed.split('\n').length, 501)
  })
})
