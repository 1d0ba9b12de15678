import assert from 'node:assert/strict'
import fs from 'node:fs'
import * as isomorphic from 'isomorphic-git'
import { assertSound } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { PATIENCE_MS, within } from '../../support/within.js'

const AUTHOR = { name: 'Petra Programmer', email: 'petra@example.org' }

/** Commits one more file on main as a program of an operator would: loose objects, and a ref written without git's lock. */
async function commitFile(gitdir: string, name: string, content: string): Promise<string> {
  const repository = { fs, gitdir }
  const head = await isomorphic.resolveRef({ ...repository, ref: 'main' })
  const { tree } = await isomorphic.readTree({ ...repository, oid: head })
  const blob = await isomorphic.writeBlob({ ...repository, blob: Buffer.from(content) })
  const entry = { mode: '100644', path: name, oid: blob, type: 'blob' } as const
  const root = await isomorphic.writeTree({
    ...repository,
    tree: [...tree.filter(({ path }) => path !== name), entry],
  })
  return isomorphic.commit({
    ...repository,
    ref: 'refs/heads/main',
    parent: [head],
    tree: root,
    author: AUTHOR,
    message: `Write ${name}\n`,
  })
}

describe('a program of an operator that uses isomorphic-git', () => {
  let service: TestService

  before(async () => {
    service = await startTestService()
    await service.api().post('/pages').send({ path: '/about', html: 'by the API' }).expect(201)
  })
  after(() => service.stop())

  it('commits a page to a live site: it is served within a second, and is a version with its author', async () => {
    const commit = await commitFile(service.gitdir(), 'about.html', 'by the program')
    await within(PATIENCE_MS, async () => {
      assert.equal((await service.visit('/about')).text, 'by the program')
    })
    const [page] = (await service.api().get('/pages?path=/about').expect(200)).body.data
    const { body } = await service.api().get(`/pages/${page.id}/versions`).expect(200)
    assert.equal(body.data.length, 2)
    assert.equal(body.data[0].id, commit)
    assert.equal(body.data[0].author, AUTHOR.name)
  })

  it('reads the commits of the API, and the API builds on its commits', async () => {
    const commit = await commitFile(service.gitdir(), 'news.html', 'by the program')
    const { body } = await service.api().post('/pages').send({ path: '/more', html: 'on top' }).expect(201)
    const repository = { fs, gitdir: service.gitdir() }
    const [head, before] = await isomorphic.log({ ...repository, ref: 'main', depth: 2 })
    assert.deepEqual([head?.oid, before?.oid], [body.data.version.id, commit])
    const { blob } = await isomorphic.readBlob({ ...repository, oid: head?.oid ?? '', filepath: 'more.html' })
    assert.equal(Buffer.from(blob).toString(), 'on top')
    assert.equal((await service.visit('/news')).text, 'by the program')
    assertSound(service.gitdir())
  })
})
