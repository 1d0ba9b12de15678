import assert from 'node:assert/strict'
import { useService } from '../../spec/use-service.js'
import { git } from '../../support/git.js'
import { runHere } from '../../programs/shell.js'

const COLLECTION = '55555555-5555-4555-8555-555555555555'
const NAMED = '66666666-6666-4666-8666-666666666666'
/** Each character takes three bytes, and nine characters in a URL. */
const WIDE = '水'.repeat(80)
/** Longer than a new file's path may be, and as long as git checks one out. */
const FAR = `${Array.from({ length: 49 }, (_, depth) => `${depth}${WIDE}`).join('/')}/far.txt`
const TOO_FAR = `${'x'.repeat(200)}/`.repeat(21)

/** Every answer of the service's clients in tests is held against the OpenAPI document. */
describe('answers about the content of a repository', () => {
  const service = useService()

  const files: [path: string, text: string][] = [
    ['long.html', `<title>${'t'.repeat(10_000)}</title><a href="/${'l'.repeat(40_000)}">far</a>`],
    [FAR, 'far'],
    [`${FAR}.txt`, 'farther'],
    [`${TOO_FAR}lost.txt`, 'past what git checks out'],
    ['_redirects', `${'y'.repeat(5_000)}\n/a /${'z'.repeat(900)}\n`],
    [`collections/${COLLECTION}.json`, JSON.stringify({ id: COLLECTION, name: 'n'.repeat(300), schema: null })],
    [`collections/${NAMED}.json`, JSON.stringify({ id: NAMED, name: 'n'.repeat(255), schema: null })],
    [`.pages/${'k'.repeat(255)}`, 'no sidecar'],
  ]

  before(() => {
    const gitdir = service().gitdir()
    const message = `${'subject '.repeat(8_000)}\n\n${'body '.repeat(40_000)}`
    const input = [
      `commit refs/heads/planted\nauthor ${'a'.repeat(5_000)} <a@example.org> 1790000000 +0000`,
      'committer C <c@example.org> 1790000000 +0000',
      `data ${Buffer.byteLength(message)}\n${message}`,
      'from refs/heads/main^0',
      ...files.map(([path, text]) => `M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}`),
    ].join('\n')
    runHere({ command: ['git', '-C', gitdir, 'fast-import', '--quiet'], input: `${input}\n` })
    git(gitdir, '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', 'refs/heads/planted')
    git(gitdir, '-c', 'core.hooksPath=/dev/null', 'update-ref', '-d', 'refs/heads/planted')
    git(gitdir, '-c', `user.name=${'a'.repeat(5_000)}`, 'tag', '-a', '-m', message.slice(0, 100_000), 'long', 'main')
  })

  it('cut the author, subject and message of a commit, in commits and in versions', async () => {
    const { id: site } = service().site
    const { body } = await service().api().get(`/sites/${site}/commits`).expect(200)
    const [commit] = body.data as { id: string; author: string }[]
    assert.equal(commit?.author, 'a'.repeat(200))
    const one = await service().api().get(`/sites/${site}/commits/${commit.id}`).expect(200)
    assert.equal((one.body.data.files as unknown[]).length, files.length - 1)
    const [page] = (await service().api().get('/pages?path=/long').expect(200)).body.data as { id: string }[]
    await service().api().get(`/pages/${page?.id}/versions`).expect(200)
    await service().api().get(`/pages/${page?.id}/diff`).expect(200)
  })

  it('cut the author and message of a tag', async () => {
    const { body } = await service().api().get(`/sites/${service().site.id}/tags`).expect(200)
    const [tag] = body.data as { name: string; message: string }[]
    assert.equal(tag?.name, 'long')
    assert.match(tag.message, /bytes of this message are left out/)
  })

  it('have a file at a long path, which can be read at that path, and leave out a longer one', async () => {
    const list = await service().api().get('/files?q=far.txt').expect(200)
    assert.deepEqual(
      (list.body.data as { path: string }[]).map(({ path }) => path),
      [`/${FAR}`, `/${FAR}.txt`],
    )
    const query = new URLSearchParams({ path: `/${FAR}` }).toString()
    assert.equal((await service().api().get(`/files/content?${query}`).buffer(true).expect(200)).text, 'far')
    await service().api().get(`/files/versions?${query}`).expect(200)
    const all = await service().api().get('/files').expect(200)
    assert.ok(!JSON.stringify(all.body).includes('lost.txt'))
  })

  it('give valid cursors after long paths, of files and of pages', async () => {
    for (const path of ['one', 'two']) {
      await service()
        .api()
        .put(`/pages?path=${encodeURIComponent(`/${'𝒳'.repeat(2_040)}${path}`)}`)
        .send({ html: 'x' })
    }
    for (const list of [`/pages?prefix=${encodeURIComponent('/𝒳')}`, '/files?prefix=/0']) {
      const { body } = await service().api().get(`${list}&limit=1`).expect(200)
      const rest = await service().api().get(`${list}&limit=1&cursor=${body.paging.nextCursor}`).expect(200)
      assert.equal((rest.body.data as unknown[]).length, 1)
    }
  })

  it('list no collection whose name is too long; the checks name it and all else that is skipped', async () => {
    const { body } = await service().api().get('/collections').expect(200)
    assert.deepEqual(
      (body.data as { id: string }[]).map(({ id }) => id),
      [NAMED],
    )
    const checks = await service().api().get(`/sites/${service().site.id}/checks`).expect(200)
    const found = new Map(
      (checks.body.data.findings as { path: string; code: string }[]).map((one) => [one.code, one.path]),
    )
    assert.equal(found.get('invalid_collection'), `collections/${COLLECTION}.json`)
    assert.ok(found.has('broken_link') && found.has('invalid_redirect') && found.has('stray_file'))
    await service()
      .api()
      .post(`/sites/${service().site.id}/rules/try`)
      .send({ path: `/${'水'.repeat(2_000)}` })
  })

  it("cut a refusal that repeats the client's input", async () => {
    const { body } = await service()
      .api()
      .get(`/pages?${'q'.repeat(30_000)}=1`)
      .expect(400)
    assert.ok((body.error.message as string).length <= 16_384)
  })
})
