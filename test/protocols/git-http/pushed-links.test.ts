// Symbolic links as people push them: `latest` beside the folders of versions.

import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound, git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'

describe('symbolic links that a push brings', () => {
  let service: TestService
  let linked: string
  const client = new RemoteGit()
  const file = (path: string) => join(client.path('clone'), path)
  const head = () => git(service.gitdir(), 'rev-parse', 'main')
  const textAt = async (path: string, label?: string) => {
    const { status, text } = await service.visit(path, label)
    return `${status} ${text}`
  }

  before(async () => {
    service = await startTestService('aliases')
    await client.run('clone', '-q', `http://git:${service.key}@127.0.0.1:${service.server.port}/git/aliases`, 'clone')
    const { key } = await service.mint({ scopes: ['admin'] })
    const settings = { publicHistory: true, markdown: true, search: true }
    await service.api(key).patch(`/sites/${service.site.id}`).send(settings).expect(200)
    mkdirSync(file('1.0'))
    writeFileSync(file('1.0/index.html'), '<a href="/latest/guide">to the guide</a>')
    writeFileSync(file('1.0/guide.html'), 'a remarkable guide')
    symlinkSync('1.0', file('latest'))
    symlinkSync('1.0/guide.html', file('guide.html'))
    assert.doesNotMatch(await push('Version 1.0'), /warning/)
    linked = head()
  })
  after(async () => {
    await service.stop()
    client.remove()
  })

  async function push(message: string): Promise<string> {
    await client.in('clone', 'add', '--all')
    await client.in('clone', 'commit', '-q', '-m', message)
    const { ok, stderr } = await client.attempt('-C', client.path('clone'), 'push')
    assert.ok(ok, stderr)
    return stderr
  }

  it('are served, also as Markdown and at a version', async () => {
    assert.equal(await textAt('/latest/guide'), '200 a remarkable guide')
    assert.equal(await textAt('/guide'), '200 a remarkable guide')
    assert.equal(await textAt('/guide.md'), '200 a remarkable guide\n')
    assert.equal(await textAt('/latest/guide', `${linked.slice(0, 12)}--aliases`), '200 a remarkable guide')
  })

  it('are no page, no file and no hit, and in no map', async () => {
    const { body } = await service.api().get('/pages').expect(200)
    const paths = (body as { data: { path: string }[] }).data.map(({ path }) => path)
    assert.deepEqual(paths.toSorted(), ['/', '/1.0/', '/1.0/guide'])
    await service.api().get('/files/content?path=/latest/guide.html').expect(404)
    for (const target of ['/sitemap.xml', '/llms.txt'])
      assert.doesNotMatch(await textAt(target), /latest|localhost:\d+\/guide/)
    const { body: found } = await service.visit('/_search?q=remarkable').set('Accept', 'application/json').expect(200)
    assert.deepEqual(
      (found as { hits: { url: string }[] }).hits.map(({ url }) => new URL(url, service.origin).pathname),
      ['/1.0/guide'],
    )
    const { body: checked } = await service.api().get(`/sites/${service.site.id}/checks`).expect(200)
    const codes = (checked as { data: { findings: { code: string }[] } }).data.findings.map(({ code }) => code)
    assert.deepEqual(
      codes.filter((code) => code === 'not_a_file' || code === 'broken_link'),
      [],
    )
  })

  it('show what they lead to in a preview', async () => {
    const { body } = await service
      .api()
      .put('/pages?path=/1.0/guide&dryRun=true')
      .send({ html: 'a drafted guide' })
      .expect(200)
    const { previewUrl } = (body as { data: { dryRun: { previewUrl: string } } }).data.dryRun
    const label = new URL(previewUrl).hostname.split('.', 1)[0]
    assert.equal(await textAt('/latest/guide', label), '200 a drafted guide')
  })

  it('are followed where a write leaves them, and give way to a page of their name', async () => {
    await service.api().put('/pages?path=/1.0/guide').send({ html: 'a new guide' }).expect(200)
    assert.equal(await textAt('/guide'), '200 a new guide')
    await service.api().put('/pages?path=/guide').send({ html: 'a page' }).expect(201)
    assert.equal(await textAt('/guide'), '200 a page')
    assert.equal(await textAt('/1.0/guide'), '200 a new guide')
    await service.api().put('/pages?path=/latest/other').send({ html: 'below a link' }).expect(409)
    await client.in('clone', 'pull', '-q', '--rebase')
    assertSound(service.gitdir())
  })

  it('show nothing at a version that the site has removed since', async () => {
    rmSync(file('1.0/guide.html'))
    await push('Without the guide')
    assert.equal((await service.visit('/latest/guide')).status, 404)
    assert.equal((await service.visit('/latest/guide', `${linked.slice(0, 12)}--aliases`)).status, 410)
  })
})
