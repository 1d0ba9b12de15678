import assert from 'node:assert/strict'
import type supertest from 'supertest'
import { codeOf, dataOf, useService } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'

interface FileText {
  oid: string
  size: number
  content?: string
  version?: { id: string; number: number }
  lines?: { from: number; to: number; total: number }
  matches?: { count: number; places: { line: number }[] }
}
interface Replaced {
  oid: string
  replaced?: { oid: string; size: number }
}

const detailsOf = (answer: supertest.Response) =>
  (answer.body as { error: { details?: { etag?: string; diff?: string | null } } }).error.details
const queryOf = (path: string, more = '') => `path=${encodeURIComponent(path)}${more}`

describe('the text of files over the API', () => {
  const service = useService()
  const put = (path: string, bytes: string | Buffer) =>
    service()
      .api()
      .put(`/files?${queryOf(path)}`)
      .type('application/octet-stream')
      .send(Buffer.from(bytes))
  const read = (path: string, more = '') =>
    service()
      .api()
      .get(`/files/text?${queryOf(path, more)}`)
  const edit = (path: string, ifMatch: string, edits: object[], more = '') =>
    service()
      .api()
      .patch(`/files/content?${queryOf(path, more)}`)
      .set('If-Match', ifMatch)
      .send({ edits })
  const main = () => git(service().gitdir(), 'rev-parse', 'main')

  it('is read whole, by lines and by characters, and searched, with the entity tag for a change', async () => {
    await put('/style.css', 'a {}\nb {}\nc {}\n').expect(201)
    const answer = await read('/style.css').expect(200)
    const whole = dataOf<FileText>(answer)
    assert.deepEqual([whole.content, whole.size, whole.lines], ['a {}\nb {}\nc {}\n', 15, undefined])
    assert.equal(answer.get('ETag'), `"${whole.oid}"`)
    const part = dataOf<FileText>(await read('/style.css', '&lines=2-2').expect(200))
    assert.deepEqual([part.content, part.lines], ['b {}\n', { from: 2, to: 2, total: 3 }])
    assert.equal(dataOf<FileText>(await read('/style.css', '&chars=6-6').expect(200)).content, 'b')
    const { matches, content } = dataOf<FileText>(await read('/style.css', '&pattern=%5E%5Bbc%5D').expect(200))
    assert.deepEqual([matches?.count, matches?.places.map(({ line }) => line), content], [2, [2, 3], undefined])
    assert.equal(codeOf(await read('/style.css', '&lines=1-2&chars=1-2').expect(400)), 'invalid_query')
  })

  it('is read and edited by a task if it is long, with the same result', async () => {
    const text = Array.from({ length: 60_000 }, (_, i) => `.c${i} { color: red }\n`).join('')
    await put('/long.css', text).expect(201)
    const { content, oid } = dataOf<FileText>(await read('/long.css').expect(200))
    assert.ok(content === text)
    assert.equal(dataOf<FileText>(await read('/long.css', '&lines=59999-').expect(200)).lines?.total, 60_000)
    await edit('/long.css', `"${oid}"`, [{ find: '.c59998 { color: red }', replace: '.c59998 {}' }]).expect(200)
    const last = dataOf<FileText>(await read('/long.css', '&lines=59999-').expect(200))
    assert.equal(last.content, '.c59998 {}\n.c59999 { color: red }\n')
  })

  it('is refused for files that are no text, for too long files, and for paths that are no file', async () => {
    await put('/dot.png', Buffer.from('\x89PNG\0', 'latin1')).expect(201)
    await put('/utf16.txt', Buffer.from('\ufefftext', 'utf16le')).expect(201)
    await put('/huge.txt', 'x'.repeat(11 * 1024 * 1024)).expect(201)
    await put('/empty.txt', '').expect(201)
    await service().api().put('/pages?path=/page').type('text/html').send('<p>x').expect(201)
    for (const [path, status, code] of [
      ['/dot.png', 409, 'not_text'],
      ['/utf16.txt', 409, 'not_text'],
      ['/huge.txt', 422, 'too_costly'],
      ['/page', 404, 'file_not_found'],
      ['/page.html', 404, 'file_not_found'],
      ['/none.txt', 404, 'file_not_found'],
      ['/.site.json', 404, 'file_not_found'],
      ['/.pages/00/x.json', 404, 'file_not_found'],
      ['/collections/x/collection.json', 404, 'file_not_found'],
      ['/a/../b', 400, 'invalid_path'],
    ] as const) {
      const refusal = await read(path)
      assert.deepEqual([refusal.status, codeOf(refusal)], [status, code], path)
      if (path === '/huge.txt') continue
      const edited = await edit(path, '*', [{ find: 'x', replace: 'y' }])
      assert.deepEqual([edited.status, codeOf(edited)], [status, code], path)
    }
    assert.equal(dataOf<FileText>(await read('/empty.txt').expect(200)).content, '')
  })

  it('is read from a version, of a deleted file too, but not from the version that deleted it', async () => {
    await put('/v.txt', 'one').expect(201)
    await put('/v.txt', 'two').expect(200)
    const second = main()
    await service()
      .api()
      .delete(`/files?${queryOf('/v.txt')}`)
      .expect(200)
    assert.equal(dataOf<FileText>(await read('/v.txt', '&version=1').expect(200)).content, 'one')
    const { content, version } = dataOf<FileText>(await read('/v.txt', `&version=${second}`).expect(200))
    assert.deepEqual([content, version], ['two', { id: second, number: 2 }])
    assert.equal(codeOf(await read('/v.txt', '&version=3').expect(409)), 'conflict')
    const unknown = await read('/v.txt', '&version=4').expect(404)
    assert.equal(codeOf(unknown), 'version_not_found')
    assert.match(JSON.stringify(unknown.body), /from 1 to 3/)
    assert.equal(codeOf(await read('/never.txt', '&version=1').expect(404)), 'file_not_found')
  })

  it('is edited in one commit, after a dry run, with an answer that names what it replaced', async () => {
    const { oid } = dataOf<FileText>(await put('/e.css', 'a {}\n').expect(201))
    const before = main()
    const edits = [{ find: 'a {}', replace: 'a { color: red }' }]
    const shown = dataOf<Replaced & { dryRun: { diff: string } }>(
      await edit('/e.css', `"${oid}"`, edits, '&dryRun=true').expect(200),
    )
    assert.match(shown.dryRun.diff, /-a \{\}\n\+a \{ color: red \}/)
    assert.deepEqual([main(), shown.replaced], [before, { oid, size: 5 }])
    const done = dataOf<Replaced>(await edit('/e.css', `"${oid}"`, edits).expect(200))
    assert.deepEqual([done.oid, done.replaced], [shown.oid, shown.replaced])
    assert.equal(git(service().gitdir(), 'show', 'main:e.css'), 'a { color: red }')
    assert.equal(git(service().gitdir(), 'log', '-1', '--format=%s', 'main'), 'Replace file /e.css')
    await service()
      .api()
      .patch(`/files/content?${queryOf('/e.css')}`)
      .send({ edits })
      .expect(428)
    const missed = await edit('/e.css', '*', [{ find: 'nowhere', replace: '' }]).expect(409)
    assert.equal(codeOf(missed), 'edit_not_applicable')
  })

  it('is refused if an edit makes wrong lines of rules, unless the client insists', async () => {
    await put('/_redirects', '/a /b\n').expect(201)
    const edits = [{ find: '/a /b', replace: 'nonsense' }]
    assert.equal(codeOf(await edit('/_redirects', '*', edits).expect(400)), 'invalid_rules')
    assert.equal(git(service().gitdir(), 'show', 'main:_redirects'), '/a /b')
    const forced = service()
      .api()
      .patch(`/files/content?${queryOf('/_redirects')}`)
      .set('If-Match', '*')
    await forced.send({ edits, force: true }).expect(200)
  })

  it('is not edited, replaced, moved or deleted if it changed meanwhile, and the refusal shows the difference', async () => {
    const { oid } = dataOf<FileText>(await put('/s.txt', 'one\n').expect(201))
    const now = dataOf<FileText>(await put('/s.txt', 'two\n').expect(200))
    const stale = `"${oid}"`
    const api = service().api()
    for (const answer of [
      await edit('/s.txt', stale, [{ find: 'one', replace: 'three' }]),
      await edit('/s.txt', stale, [{ find: 'one', replace: 'three' }], '&dryRun=true'),
      await put('/s.txt', 'three').set('If-Match', stale),
      await api.post('/files').set('If-Match', stale).send({ path: '/s.txt', text: 'three' }),
      await api.post('/files/move').set('If-Match', stale).send({ from: '/s.txt', to: '/t.txt' }),
      await api.delete(`/files?${queryOf('/s.txt')}`).set('If-Match', stale),
    ]) {
      assert.deepEqual([answer.status, codeOf(answer)], [412, 'precondition_failed'])
      const { etag, diff } = detailsOf(answer) ?? {}
      assert.equal(etag, `"${now.oid}"`)
      assert.match(diff ?? '', /-one\n\+two/)
    }
    const unknown = await put('/s.txt', 'three')
      .set('If-Match', `"${'1'.repeat(40)}"`)
      .expect(412)
    assert.equal(detailsOf(unknown)?.diff, null)
    const commit = await put('/s.txt', 'three').set('If-Match', `"${main()}"`).expect(412)
    assert.equal(detailsOf(commit)?.diff, null)
    const none = await put('/none-there.txt', 'x').set('If-Match', stale).expect(412)
    assert.match(JSON.stringify(none.body), /There is no file at this path/)
  })

  it('keeps one of several edits of the same text at once', async () => {
    const { oid } = dataOf<FileText>(await put('/race.txt', 'start\n').expect(201))
    const edits = Array.from({ length: 8 }, (_, i) =>
      edit('/race.txt', `"${oid}"`, [{ find: 'start', replace: `by ${i}` }]).then(({ status }) => status),
    )
    const statuses = await Promise.all(edits)
    assert.equal(statuses.filter((status) => status === 412).length, 7)
    const winner = statuses.indexOf(200)
    assert.equal(git(service().gitdir(), 'show', 'main:race.txt'), `by ${winner}`)
    assertSound(service().gitdir())
  })

  it('is replaced by POST without a condition, unless the client forbids it', async () => {
    const api = service().api()
    const body = { path: '/o.txt', text: 'one' }
    await api
      .post('/files')
      .send({ ...body, overwrite: false })
      .expect(201)
    const again = dataOf<{ changed?: false }>(
      await api
        .post('/files')
        .send({ ...body, overwrite: false })
        .expect(200),
    )
    assert.equal(again.changed, false)
    for (const more of ['', '?dryRun=true']) {
      const refusal = await api
        .post(`/files${more}`)
        .send({ ...body, text: 'two', overwrite: false })
        .expect(428)
      assert.equal(codeOf(refusal), 'precondition_required')
    }
    const operations = [
      { op: 'putFile', path: '/new.txt', text: 'new' },
      { op: 'putFile', path: '/o.txt', text: 'two' },
    ]
    const batch = await api.post('/batch').send({ operations, overwrite: false }).expect(409)
    assert.match(JSON.stringify(batch.body), /"index":1,"code":"precondition_required"/)
    assert.equal(codeOf(await read('/new.txt').expect(404)), 'file_not_found')
    await api
      .post('/files')
      .send({ ...body, text: 'two' })
      .expect(200)
    await api.post('/batch').send({ operations }).expect(200)
    const any = { ...operations[1], text: 'three', ifMatch: '*' }
    await api
      .post('/batch')
      .send({ operations: [any], overwrite: false })
      .expect(200)
    assert.equal(git(service().gitdir(), 'show', 'main:o.txt'), 'three')
  })

  it('names what it replaced in the answer to a repeated request too', async () => {
    const { oid } = dataOf<FileText>(await put('/twice.txt', 'one').expect(201))
    const send = () =>
      service().api().post('/files').set('Idempotency-Key', 'twice').send({ path: '/twice.txt', text: 'two' })
    const [first, second] = [await send().expect(200), await send().expect(200)]
    assert.deepEqual(second.body, first.body)
    assert.deepEqual(dataOf<Replaced>(first).replaced, { oid, size: 3 })
  })

  it('can be read but not edited by a key of other paths, and is not found by a key of other sites', async () => {
    const { oid } = dataOf<FileText>(await put('/outside.css', 'a {}').expect(201))
    const limited = service().api((await service().mint({ scopes: ['write'], paths: ['/blog/*'] })).key)
    await limited.get('/files/text?path=/outside.css').expect(200)
    const change = { edits: [{ find: 'a', replace: 'b' }] }
    const query = '/files/content?path=/outside.css'
    const refusal = await limited.patch(query).set('If-Match', `"${oid}"`).send(change).expect(403)
    assert.equal(codeOf(refusal), 'path_not_allowed')
    const reader = service().api((await service().mint({ scopes: ['read'] })).key)
    await reader.get('/files/text?path=/outside.css').expect(200)
    assert.equal(codeOf(await reader.patch(query).set('If-Match', '*').send(change).expect(403)), 'insufficient_scope')
    const neighbour = await service().inNewWorkspace()
    await neighbour.api().get('/files/text?path=/outside.css').expect(404)
    const aimed = neighbour.api().get('/files/text?path=/outside.css').set('x-service-site-id', service().site.id)
    assert.equal(codeOf(await aimed.expect(404)), 'site_not_found')
    // It also learns nothing by naming the bytes of another's file.
    await neighbour.api().put('/files?path=/own.css').send('b {}').expect(201)
    const named = neighbour.api().put('/files?path=/own.css').set('If-Match', `"${oid}"`).send('c {}')
    assert.equal(detailsOf(await named.expect(412))?.diff, null)
  })
})
