import assert from 'node:assert/strict'
import { dataOf, useService } from '../../spec/use-service.js'
import { type Folder, manifestOf, tarOf } from '../files/folder.js'

interface Warned {
  warnings?: { code?: string; path: string; message: string }[]
}

const pointerOf = (digit: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${String(digit).padStart(64, '0')}\nsize 184292\n`
const WORDS = /pointer of Git LFS.*git lfs pull.*git lfs untrack/

describe('a pointer of Git LFS', () => {
  const service = useService()
  const api = () => service().api()

  function named({ warnings = [] }: Warned): string[] {
    for (const { message } of warnings) assert.match(message, WORDS)
    return warnings.map(({ path }) => path)
  }

  it('is named when a file is put, by bytes and by JSON, in a dry run, and in a repeated answer', async () => {
    const put = (query: string) =>
      api()
        .put(`/files?path=/logo.png${query}`)
        .type('application/octet-stream')
        .send(Buffer.from(pointerOf(1)))
    const shown = dataOf<Warned & { dryRun: object }>(await put('&dryRun=true').expect(200))
    assert.deepEqual(named(shown), ['/logo.png'])
    assert.deepEqual(named(dataOf<Warned>(await put('').expect(201))), ['/logo.png'])
    const write = () =>
      api()
        .post('/files')
        .set('Idempotency-Key', 'pointer')
        .send({ path: '/photo.jpg', text: pointerOf(2) })
        .expect(201)
    assert.deepEqual(named(dataOf<Warned>(await write())), ['/photo.jpg'])
    assert.deepEqual(named(dataOf<Warned>(await write())), ['/photo.jpg'])
    const other = await api()
      .post('/files')
      .send({ path: '/spec.txt', text: `See ${pointerOf(3)}` })
      .expect(201)
    assert.equal(dataOf<Warned>(other).warnings, undefined)
  })

  it('is named in a batch', async () => {
    const operations = [
      { op: 'putFile', path: '/a.png', text: pointerOf(4) },
      { op: 'putFile', path: '/b.png', base64: Buffer.from(pointerOf(5)).toString('base64') },
      { op: 'putFile', path: '/c.txt', text: 'c' },
    ]
    const answer = await api().post('/batch').send({ operations }).expect(200)
    const { items } = dataOf<{ items: Warned[] }>(answer)
    assert.deepEqual(items.map(named), [['/a.png'], ['/b.png'], []])
  })

  it('is named by a deploy and its dry run, for each file that changed', async () => {
    const folder: Folder = {
      'docs/index.html': '<h1>Docs',
      'docs/logo.png': pointerOf(6),
      'docs/photo.jpg': pointerOf(7),
    }
    const made = await api()
      .post('/deploys')
      .send({ files: manifestOf(folder) })
      .expect(201)
    const { id, missing } = dataOf<{ id: string; missing: string[] }>(made)
    await api().post(`/deploys/${id}/blobs`).type('application/x-tar').send(tarOf(folder, missing)).expect(200)
    for (const query of ['?dryRun=true', '']) {
      const done = dataOf<Warned>(await api().post(`/deploys/${id}/publish${query}`).expect(200))
      assert.deepEqual(named(done), ['docs/logo.png', 'docs/photo.jpg'])
    }
  })

  it('is named by the checks', async () => {
    const answer = await api().get(`/sites/${service().site.id}/checks`).expect(200)
    const { findings } = dataOf<{ findings: { code: string; path: string; message: string }[] }>(answer)
    const pointers = findings.filter(({ code }) => code === 'lfs_pointer')
    assert.deepEqual(pointers.map(({ path }) => path).toSorted(), [
      'a.png',
      'b.png',
      'docs/logo.png',
      'docs/photo.jpg',
      'logo.png',
      'photo.jpg',
    ])
    for (const { message } of pointers) assert.match(message, WORDS)
  })
})
