import assert from 'node:assert/strict'
import { gitWithInput } from '../../git/scratch-repository.js'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'

const MEBIBYTE = 1024 * 1024

describe('objects above all limits, put in place without the hooks', () => {
  let service: TestService
  let id: string
  let head: string

  before(async () => {
    service = await startTestService()
    const gitdir = service.gitdir()
    const blob = (bytes: Buffer) => gitWithInput(gitdir, bytes, 'hash-object', '-w', '--stdin').toString().trim()
    const huge = blob(Buffer.alloc(70 * MEBIBYTE, '<p>x</p>'))
    const sidecar = blob(Buffer.alloc(20 * MEBIBYTE, ' '))
    const root = git(gitdir, 'ls-tree', 'main').replace(/^.*\t\.pages$\n?/m, '')
    const folder = gitWithInput(gitdir, `100644 blob ${sidecar}\taaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa.json\n`, 'mktree')
    const pages = gitWithInput(gitdir, `040000 tree ${folder.toString().trim()}\taa\n`, 'mktree')
    const entries = `${root.trimEnd()}\n100644 blob ${huge}\thuge.html\n040000 tree ${pages.toString().trim()}\t.pages\n`
    const tree = gitWithInput(gitdir, entries, 'mktree').toString().trim()
    const message = Buffer.concat([Buffer.alloc(3 * MEBIBYTE, 'word '), Buffer.from('\n\nReviewed-by: Ada\n')])
    head = gitWithInput(gitdir, message, 'commit-tree', tree, '-p', 'main').toString().trim()
    git(gitdir, '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', head)
    const { body } = await service.api().get('/pages?path=/huge').expect(200)
    id = body.data[0].id
  })
  after(() => service.stop())

  it('are hosted, listed with their size, and not read into memory by the API, which gives the reason', async () => {
    const { headers } = await service.visit('/huge').set('Range', 'bytes=0-7').expect(206)
    assert.equal(headers['content-range'], `bytes 0-7/${70 * MEBIBYTE}`)
    const { body: list } = await service.api().get('/pages?path=/huge').expect(200)
    assert.equal(list.data[0].size, 70 * MEBIBYTE)
    for (const path of [`/pages/${id}`, `/pages/${id}?lines=1-2`, `/pages/${id}/versions/1`]) {
      const { body } = await service.api().get(path).expect(422)
      assert.equal(body.error.code, 'too_costly', path)
      assert.match(body.error.message, /more than 10485760 bytes/)
    }
  })

  it('leave the rest of the history readable: a message is cut in its middle, with a note', async () => {
    const { body, text } = await service.api().get(`/sites/${service.site.id}/commits`).expect(200)
    assert.equal(body.data[0].id, head)
    assert.match(body.data[0].message, /\[\d+ bytes of this message are left out\]/)
    assert.ok(text.length < 200_000, `${text.length}`)
  })

  it('are reported by the checks', async () => {
    const { body } = await service.api().get(`/sites/${service.site.id}/checks`).expect(200)
    const found = body.data.findings ?? body.data
    const codes = new Map(found.map(({ code, path }: { code: string; path: string }) => [path, code]))
    assert.equal(codes.get('huge.html'), 'too_large')
    assert.equal(codes.get('.pages/aa/aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa.json'), 'invalid_sidecar')
  })

  it('can be replaced, and the site accepts writes', async () => {
    await service.api().put('/pages?path=/huge').set('Content-Type', 'text/html').send('<p>small</p>').expect(200)
    await service.api().get(`/pages/${id}`).expect(200)
    await service.visit('/huge').expect(200, '<p>small</p>')
    await service.api().post('/pages').send({ path: '/other', html: 'x' }).expect(201)
  })
})
