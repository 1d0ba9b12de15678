import assert from 'node:assert/strict'
import { assertSound, git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { type Page, put } from '../client.js'

const POEM = 'one\ntwo\nthree\nfour\n'

describe('editing a page', () => {
  let service: TestService
  let page: Page

  before(async () => {
    service = await startTestService()
  })
  beforeEach(async () => {
    page = await put(service.api(), '/poem', POEM)
  })
  after(() => service.stop())

  const edit = (etag: string | undefined, edits: object[]) => {
    const request = service.api().patch(`/pages/${page.id}/content`)
    return (etag === undefined ? request : request.set('If-Match', etag)).send({ edits })
  }

  it('changes a word and some lines in one version, and shows the requested lines', async () => {
    const edits = [
      { find: 'two', replace: 'deux' },
      { lines: '4-4', replace: 'quatre\ncinq' },
    ]
    const before = git(service.gitdir(), 'rev-list', '--count', 'main')
    const { status, body } = await edit(page.etag, edits)
    assert.equal(status, 200, JSON.stringify(body))
    assert.equal((await service.visit('/poem')).text, 'one\ndeux\nthree\nquatre\ncinq\n')
    assert.equal(git(service.gitdir(), 'rev-list', '--count', 'main'), String(Number(before) + 1))
    assertSound(service.gitdir())
    const part = await service.api().get(`/pages/${page.id}?lines=4-5`)
    assert.equal(part.body.data.html, 'quatre\ncinq\n')
    assert.deepEqual(part.body.data.lines, { from: 4, to: 5, total: 5 })
  })

  it('answers a stale edit with the current page and the changes, and changes nothing', async () => {
    const later = await put(service.api(), '/poem', POEM.replace('three', 'trois'))
    for (const stale of [
      await edit(page.etag, [{ find: 'two', replace: 'deux' }]),
      await service.api().put(`/pages/${page.id}/content`).set('If-Match', page.etag).send({ html: 'mine' }),
    ]) {
      assert.equal(stale.status, 412)
      assert.equal(stale.headers['etag'], later.etag)
      const { details } = stale.body.error
      assert.deepEqual([details.etag, details.version], [later.etag, later.version])
      assert.match(details.diff, /^-three\n\+trois$/m)
    }
    assert.match((await service.visit('/poem')).text, /trois/)
  })

  it('refuses edits without If-Match, and edits that do not fit the version it names', async () => {
    const unguarded = await edit(undefined, [{ find: 'two', replace: 'deux' }])
    assert.deepEqual([unguarded.status, unguarded.body.error.code], [428, 'precondition_required'])
    const misfit = await edit(page.etag, [{ find: 'missing', replace: '' }])
    assert.deepEqual([misfit.status, misfit.body.error.code], [409, 'edit_not_applicable'])
    for (const wrong of [{ find: 'one' }, { replace: 'x' }, { find: 'one', lines: '1-1', replace: 'x' }]) {
      assert.equal((await edit(page.etag, [wrong])).status, 400)
    }
    const emptied = await edit('*', [{ lines: '1-4', replace: '' }])
    assert.deepEqual([emptied.status, emptied.body.error.code], [400, 'invalid_body'])
    assert.equal((await service.visit('/poem')).text, POEM)
  })
})
