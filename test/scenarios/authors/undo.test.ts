import assert from 'node:assert/strict'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { type Page, put } from '../client.js'

describe('undo', () => {
  let running: TestService
  let service: TestService
  before(async () => {
    running = await startTestService()
  })
  beforeEach(async () => {
    service = await running.inNewWorkspace()
  })
  afterEach(() => service.stop())

  const rollback = (page: Page, version: number | string) =>
    service.api().post(`/pages/${page.id}/rollback`).send({ version })
  const revert = (commit: string) => service.api().post(`/sites/${service.site.id}/revert`).send({ commit })

  it('rolls a page back over ten later edits, and rolls back the rollback', async () => {
    const page = await put(service.api(), '/about', 'edit 0')
    for (let edit = 1; edit <= 10; edit++) await put(service.api(), '/about', `edit ${edit}`)
    await put(service.api(), '/other', 'untouched')

    const back = await rollback(page, 1)
    assert.equal(back.status, 200)
    assert.deepEqual([back.body.data.id, back.body.data.version.number], [page.id, 12])
    assert.equal((await service.visit('/about')).text, 'edit 0')
    assert.equal((await service.visit('/other')).text, 'untouched')

    assert.equal((await rollback(page, 11)).status, 200)
    assert.equal((await service.visit('/about')).text, 'edit 10')
    assert.equal((await rollback(page, page.version.id)).status, 200)
    assert.equal((await service.visit('/about')).text, 'edit 0')
    assert.equal(git(service.gitdir(), 'log', '--format=%h', 'main', '--', 'about.html').split('\n').length, 14)
  })

  it('restores an unpublished page with its id', async () => {
    const page = await put(service.api(), '/about', 'wanted')
    await service.api().delete(`/pages/${page.id}`)
    assert.equal((await service.visit('/about')).status, 404)
    assert.equal((await service.api().get(`/pages/${page.id}`)).status, 404)

    const back = await rollback(page, 1)
    assert.equal(back.status, 200)
    assert.deepEqual([back.body.data.id, back.body.data.status], [page.id, 'published'])
    assert.equal((await service.visit('/about')).text, 'wanted')
    const { body } = await service.api().get(`/pages/${page.id}/versions`)
    assert.deepEqual(
      body.data.map(({ action }: { action: string }) => action),
      ['rollback', 'unpublish', 'publish'],
    )
  })

  it('reverts a commit whose pages have not changed since, and merges separate changes', async () => {
    const lines = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
    const withLine = (at: number, word: string, from = lines) => from.with(at, word)
    await put(service.api(), '/poem', lines.join('\n'))
    const edit = await put(service.api(), '/poem', withLine(0, 'ONE').join('\n'))
    await put(service.api(), '/poem', withLine(6, 'SEVEN', withLine(0, 'ONE')).join('\n'))
    const { status, body } = await revert(edit.version.id)
    assert.equal(status, 201)
    assert.equal(body.data.subject, 'Revert "Replace /poem"')
    assert.equal((await service.visit('/poem')).text, withLine(6, 'SEVEN').join('\n'))
  })

  it('names the conflicts of a revert, and changes nothing', async () => {
    await put(service.api(), '/poem', 'one\ntwo\n')
    const edit = await put(service.api(), '/poem', 'one\nZWEI\n')
    const later = await put(service.api(), '/poem', 'one\nDEUX\n')
    const { status, body } = await revert(edit.version.id)
    assert.equal(status, 409)
    assert.equal(body.error.code, 'revert_conflict')
    const { conflicts } = body.error.details as { conflicts: { path: string; hunks: string }[] }
    assert.deepEqual(
      conflicts.map(({ path }) => path),
      ['poem.html'],
    )
    assert.match(conflicts[0]?.hunks ?? '', /<<<<<<<[^]*DEUX[^]*=======[^]*two[^]*>>>>>>>/)
    assert.equal(git(service.gitdir(), 'rev-parse', 'main'), later.version.id)
    assert.equal((await service.visit('/poem')).text, 'one\nDEUX\n')
  })

  it('undoes several commits in one, after a dry run, and repeats the answer', async () => {
    const first = await put(service.api(), '/a', 'mine')
    await put(service.api(), '/b', 'of somebody else')
    const second = await put(service.api(), '/c', 'mine too')
    const commits = [first.version.id, second.version.id]
    const undo = (query = '') => service.api().post(`/sites/${service.site.id}/undo${query}`).send({ commits })

    const shown = (await undo('?dryRun=true').expect(200)).body.data
    assert.deepEqual([shown.commit, shown.changed], [null, true])
    assert.deepEqual(
      shown.undone.map(({ subject }: { subject: string }) => subject),
      ['Publish /c', 'Publish /a'],
    )
    assert.match(shown.dryRun.diff, /-mine\n[^]*-mine too\n/)
    assert.equal((await service.visit('/a')).status, 200)

    const made = await undo().set('Idempotency-Key', 'undo-1').expect(200)
    assert.equal(made.body.data.commit, git(service.gitdir(), 'rev-parse', 'main'))
    assert.deepEqual((await undo().set('Idempotency-Key', 'undo-1')).body.data, made.body.data)
    const seen = await Promise.all(['/a', '/b', '/c'].map((path) => service.visit(path)))
    assert.deepEqual(
      seen.map(({ status }) => status),
      [404, 200, 404],
    )
    const { body } = await service.api().get(`/pages/${first.id}/versions`)
    assert.equal(body.data[0].action, 'revert')
    assert.equal((await undo().expect(200)).body.data.changed, false)
  })

  it('never puts a file at the URL of a page: by a revert, an undo and a dry run', async () => {
    const api = service.api()
    await api.put('/files?path=/a').set('Content-Type', 'text/plain').send('the file').expect(201)
    const { commit } = (await api.delete('/files?path=/a').expect(200)).body.data as { commit: string }
    const page = await put(api, '/a', 'the page')
    const undo = (query = '') => api.post(`/sites/${service.site.id}/undo${query}`).send({ commits: [commit] })
    for (const request of [revert(commit), undo(), undo('?dryRun=true')]) {
      const { error } = (await request.expect(409)).body as { error: { code: string; details: { path: string } } }
      assert.deepEqual([error.code, error.details.path], ['path_conflict', '/a'])
    }
    assert.equal((await service.visit('/a')).text, 'the page')
    assert.equal(git(service.gitdir(), 'rev-parse', 'main'), page.version.id)
  })

  it('does not move later files if the commit looks like a move', async () => {
    const old = await put(service.api(), '/old', '<p>the first text</p>')
    const blob = git(service.gitdir(), 'rev-parse', 'main:old.html')
    const operations = [
      { op: 'unpublishPage', id: old.id },
      { op: 'createPage', path: '/new', html: '<p>the first text</p>' },
    ]
    const { commit } = (await service.api().post('/batch').send({ operations }).expect(200)).body.data as {
      commit: string
    }
    await put(service.api(), '/new', '<h1>Written later</h1>')
    const { error } = (await revert(commit).expect(409)).body
    assert.equal(error.code, 'revert_conflict')
    assert.deepEqual(error.details.conflicts, [
      {
        commit,
        path: 'new.html',
        reason: 'changed',
        hunks: 'It was changed since, and cannot be merged line by line.',
        base: blob,
        ours: git(service.gitdir(), 'rev-parse', 'main:new.html'),
      },
    ])
    assert.equal((await service.visit('/new')).text, '<h1>Written later</h1>')
    assert.equal((await service.visit('/old')).status, 404)
  })

  it('does not restore a withdrawn version', async () => {
    const page = await put(service.api(), '/a', 'secret')
    const later = await put(service.api(), '/a', 'public')
    await service.api().post(`/pages/${page.id}/versions/1/withdraw`).expect(200)
    const refused = await revert(later.version.id).expect(409)
    assert.match(refused.body.error.message, /withdrawn/)
    assert.equal((await service.visit('/a')).text, 'public')
  })
})
