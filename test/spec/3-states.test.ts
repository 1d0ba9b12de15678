import assert from 'node:assert/strict'
import { codeOf, dataOf, type Page, publish, useService } from './use-service.js'

interface Version {
  number: number
  action: string
  html?: string | null
}

describe('§3 states and transitions', () => {
  const service = useService()
  const replace = (page: Page, html: string) => service().api().put(`/pages/${page.id}/content`).send({ html })

  it('an unpublished page is 404 at its URL and in the API, and PUT to it says that it is unpublished', async () => {
    const page = await publish(service())
    const gone = dataOf<Page>(await service().api().delete(`/pages/${page.id}`).expect(200))
    assert.equal(gone['status'], 'unpublished')
    assert.equal(gone['size'], 0)
    await service().visit(page.path).expect(404)
    assert.equal(codeOf(await service().api().get(`/pages/${page.id}`).expect(404)), 'page_not_found')
    assert.equal(codeOf(await replace(page, 'x').expect(404)), 'page_unpublished')
    assert.equal(codeOf(await service().api().delete(`/pages/${page.id}`).expect(404)), 'page_unpublished')
  })

  it('unpublished pages are listed when asked for, and their versions stay readable', async () => {
    const page = await publish(service(), { html: 'kept' })
    await service().api().delete(`/pages/${page.id}`).expect(200)
    const list = dataOf<Page[]>(await service().api().get('/pages?status=unpublished').expect(200))
    assert.ok(list.some(({ id }) => id === page.id))
    const first = dataOf<Version>(await service().api().get(`/pages/${page.id}/versions/1`).expect(200))
    assert.equal(first.html, 'kept')
    const second = dataOf<Version>(await service().api().get(`/pages/${page.id}/versions/2`).expect(200))
    assert.deepEqual([second.action, second.html], ['unpublish', null])
  })

  it('POST to an unpublished path revives its id as the next version', async () => {
    const page = await publish(service())
    await service().api().delete(`/pages/${page.id}`).expect(200)
    const again = dataOf<Page>(await service().api().post('/pages').send({ path: page.path, html: 'back' }).expect(201))
    assert.equal(again.id, page.id)
    assert.equal(again.version.number, 3)
  })

  it('a page rolls back to any earlier version, by number or by commit, after ten later edits', async () => {
    const page = await publish(service(), { html: 'first' })
    for (let i = 0; i < 10; i++) await replace(page, `edit ${i}`).expect(200)
    const rollback = (version: number | string) =>
      service().api().post(`/pages/${page.id}/rollback`).send({ version, reason: 'better' })
    const back = dataOf<Page>(await rollback(1).expect(200))
    assert.equal(back.version.number, 12)
    assert.equal((await service().visit(page.path)).text, 'first')
    await rollback(page.version.id).expect(200)
    const forth = dataOf<Page>(await rollback(11).expect(200))
    assert.equal(forth.version.number, 13)
    assert.equal((await service().visit(page.path)).text, 'edit 9')
  })

  it('a rollback of an unpublished page restores it with its id', async () => {
    const page = await publish(service(), { html: 'returning' })
    await service().api().delete(`/pages/${page.id}`).expect(200)
    const back = dataOf<Page>(await service().api().post(`/pages/${page.id}/rollback`).send({ version: 1 }).expect(200))
    assert.equal(back.id, page.id)
    assert.equal((await service().visit(page.path).expect(200)).text, 'returning')
  })

  it('two versions are compared as text', async () => {
    const page = await publish(service(), { html: 'one\ntwo\n' })
    await replace(page, 'one\n2\n').expect(200)
    const diff = dataOf<{ unified: string }>(
      await service().api().get(`/pages/${page.id}/diff?from=1&to=2`).expect(200),
    )
    assert.match(diff.unified, /^-two$/m)
    assert.match(diff.unified, /^\+2$/m)
  })

  it('a revert undoes a commit, and names the conflicts if it cannot', async () => {
    const page = await publish(service(), { html: 'one\n' })
    const second = dataOf<Page>(await replace(page, 'two\n').expect(200))
    const revert = (commit: string) => service().api().post(`/sites/${service().site.id}/revert`).send({ commit })
    await revert(second.version.id).expect(201)
    assert.equal((await service().visit(page.path)).text, 'one\n')
    await replace(page, 'three\n').expect(200)
    const refused = await revert(second.version.id).expect(409)
    assert.equal(codeOf(refused), 'revert_conflict')
    assert.match(JSON.stringify(refused.body), new RegExp(`${page.path.slice(1)}\\.html`))
  })

  it('a write of identical bytes makes no version', async () => {
    const page = await publish(service(), { html: 'same' })
    const again = dataOf<Page>(await replace(page, 'same').expect(200))
    assert.equal(again['changed'], false)
    assert.deepEqual(again.version, page.version)
  })
})
