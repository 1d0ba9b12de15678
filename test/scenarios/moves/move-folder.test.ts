import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { codeOf, dataOf, type Page, publish, useService } from '../../spec/use-service.js'
import { assertSound, git } from '../../support/git.js'

interface Moved {
  commit: string | null
  changed: boolean
  path: string
  pages: { id: string; path: string }[]
  files: string[]
  dryRun: { linkedFrom: { path: string }[]; files: object[] }
}

describe('moving a folder', () => {
  const service = useService()
  const api = () => service().api()
  const visit = (path: string) => service().visit(path).redirects(0)
  const head = () => git(service().gitdir(), 'rev-parse', 'main')
  const treeOf = (commit: string) => git(service().gitdir(), 'rev-parse', `${commit}^{tree}`)
  const move = (body: object, more = '') => api().post(`/sites/${service().site.id}/moves${more}`).send(body)
  const file = async (path: string, text: string) =>
    await api()
      .put(`/files?path=${encodeURIComponent(path)}`)
      .send(Buffer.from(text))
      .expect(201)
  const assertLeads = async (from: string, to: string) => {
    const answer = await visit(from)
    assert.deepEqual([answer.status, answer.get('Location'), answer.get('Cache-Control')], [308, to, 'no-cache'], from)
  }
  const fill = async (folder: string) => {
    const start = await publish(service(), { path: `${folder}/`, html: '<a href="a"><img src="pic.svg">' })
    const a = await publish(service(), { path: `${folder}/a`, html: `<a href="deep/b.html"><a href="${folder}/a#x">` })
    const b = await publish(service(), { path: `${folder}/deep/b`, html: '<a href="../../other">' })
    await file(`${folder}/pic.svg`, '<svg/>')
    return { start, a, b }
  }

  it('moves its pages and files in one commit, and their old addresses lead to the new ones', async () => {
    const { start, a, b } = await fill('/docs')
    const beside = await publish(service(), { path: '/docs', html: 'beside' }).catch(() => undefined)
    assert.equal(beside, undefined)
    const unpublished = await publish(service(), { path: '/docs/gone' })
    await api().delete(`/pages/${unpublished.id}`).expect(200)
    const before = head()
    const moved = dataOf<Moved>(await move({ from: '/docs/', to: '/guide' }).expect(200))
    assert.deepEqual([moved.commit, moved.changed, moved.path], [head(), true, '/guide/'])
    assert.deepEqual(
      moved.pages.map(({ id, path }) => [id, path]),
      [
        [start.id, '/guide/'],
        [a.id, '/guide/a'],
        [b.id, '/guide/deep/b'],
      ],
    )
    assert.deepEqual(moved.files, ['/guide/pic.svg'])
    assert.equal(git(service().gitdir(), 'rev-list', '--count', `${before}..main`), '1')
    await visit('/guide/a').expect(200)
    for (const [from, to] of [
      ['/docs/', '/guide/'],
      ['/docs/a', '/guide/a'],
      ['/docs/deep/b.html', '/guide/deep/b'],
      ['/docs/pic.svg', '/guide/pic.svg'],
    ] as const)
      await assertLeads(from, to)
    assert.equal(dataOf<Page>(await api().get(`/pages/${a.id}`).expect(200)).path, '/guide/a')
    assert.equal(
      dataOf<Page[]>(await api().get('/pages?path=/docs/gone&status=all').expect(200))[0]?.id,
      unpublished.id,
    )
    await move({ from: '/guide/', to: '/manual/' }).expect(200)
    await assertLeads('/docs/pic.svg', '/manual/pic.svg')
    await assertLeads('/docs/a', '/manual/a')
    await api()
      .post(`/sites/${service().site.id}/undo`)
      .send({ commits: [head(), moved.commit] })
      .expect(200)
    assert.equal(treeOf('main'), treeOf(before))
    assertSound(service().gitdir())
  })

  it('goes up into its own parent, and to another case of its name', async () => {
    await fill('/up/in')
    await publish(service(), { path: '/up/in/in/x', html: 'deepest' })
    await publish(service(), { path: '/up/in/x', html: 'upper' })
    await move({ from: '/up/in/', to: '/up/' }).expect(200)
    await visit('/up/in/x').expect(200, 'deepest')
    await visit('/up/x').expect(200, 'upper')
    await assertLeads('/up/in/in/x', '/up/in/x')
    await move({ from: '/up/', to: '/Up/' }).expect(200)
    await visit('/Up/x').expect(200, 'upper')
    await assertLeads('/up/x', '/Up/x')
  })

  it('shows in a dry run what it would do and who links there, and writes nothing', async () => {
    await fill('/try')
    await publish(service(), { path: '/links', html: '<a href="/try/a"><a href="/try/pic.svg">' })
    const before = head()
    const shown = dataOf<Moved>(await move({ from: '/try/', to: '/tried/' }, '?dryRun=true').expect(200))
    assert.deepEqual([shown.commit, shown.changed, shown.pages.length], [null, false, 3])
    const { linkedFrom } = shown.dryRun
    assert.deepEqual(
      linkedFrom.map(({ path }) => path),
      ['/links', '/try/', '/try/a'],
    )
    assert.equal(head(), before)
  })

  it('rewrites links to it and links out of it, if asked', async () => {
    await publish(service(), { path: '/rw/other', html: '<a href="in/deep/b">' })
    await fill('/rw/in')
    await move({ from: '/rw/in/', to: '/rw-out/', rewriteLinks: true }).expect(200)
    await visit('/rw-out/').expect(200, '<a href="a"><img src="pic.svg">')
    await visit('/rw-out/a').expect(200, '<a href="deep/b.html"><a href="/rw-out/a#x">')
    await visit('/rw-out/deep/b').expect(200, '<a href="../../rw/other">')
    await visit('/rw/other').expect(200, '<a href="../rw-out/deep/b">')
  })

  it('is refused into itself, where something is, and for an empty folder', async () => {
    await fill('/full')
    await publish(service(), { path: '/busy/a' })
    const before = head()
    for (const [body, status, code] of [
      [{ from: '/full/', to: '/full/inner/' }, 400, 'invalid_path'],
      [{ from: '/', to: '/all/' }, 400, 'invalid_path'],
      [{ from: '/full/', to: '/busy/' }, 409, 'page_exists'],
      [{ from: '/none/', to: '/busy/' }, 404, 'file_not_found'],
      [{ from: '/full/', to: '/.hidden/' }, 400, 'invalid_path'],
      [{ from: '/full/', to: '/collections/' }, 400, 'invalid_path'],
    ] as const) {
      const answer = await move(body)
      assert.deepEqual([answer.status, codeOf(answer)], [status, code], JSON.stringify(body))
    }
    assert.equal(dataOf<Moved>(await move({ from: '/full', to: '/full/' }).expect(200)).changed, false)
    assert.equal(head(), before)
  })

  it('is made once for each idempotency key, with the same answer', async () => {
    await fill('/once')
    const key = randomUUID()
    const ask = () => move({ from: '/once/', to: '/twice/' }).set('Idempotency-Key', key).expect(200)
    const first = dataOf<Moved>(await ask())
    const again = dataOf<Moved>(await ask())
    const byId = ({ pages, ...rest }: Moved) => ({ ...rest, pages: pages.toSorted((a, b) => (a.id < b.id ? -1 : 1)) })
    assert.deepEqual(byId(again), byId(first))
  })

  it('needs a key that may write in both folders', async () => {
    await fill('/mine/box')
    await fill('/yours/box')
    const { key } = await service().mint({ scopes: ['write'], paths: ['/mine/*'] })
    const ask = (body: object) => service().api(key).post(`/sites/${service().site.id}/moves`).send(body)
    for (const body of [
      { from: '/mine/box/', to: '/yours/new/' },
      { from: '/yours/box/', to: '/mine/new/' },
    ])
      assert.equal(codeOf(await ask(body).expect(403)), 'path_not_allowed')
    await ask({ from: '/mine/box/', to: '/mine/new/' }).expect(200)
    await assertLeads('/mine/box/pic.svg', '/mine/new/pic.svg')
  })

  it('moves in a change request, and what is live stays', async () => {
    const { a } = await fill('/asked/in')
    await publish(service(), { path: '/asked/links', html: '<a href="in/a">' })
    const before = head()
    const first = await move(
      { from: '/asked/in/', to: '/asked/out/', rewriteLinks: true },
      '?changeRequest=new',
    ).expect(200)
    const id = (first.body as { changeRequest: string }).changeRequest
    const query = `?changeRequest=${id}`
    assert.equal(dataOf<Page>(await api().get(`/pages/${a.id}${query}`).expect(200)).path, '/asked/out/a')
    await api().patch(`/pages/${a.id}${query}`).send({ path: '/asked/b' }).expect(200)
    await api().delete(`/pages/${a.id}${query}&gone=true`).expect(200)
    assert.equal(head(), before)
    await visit('/asked/in/a').expect(200)
    assert.equal(dataOf<Page>(await api().get(`/pages/${a.id}`).expect(200)).path, '/asked/in/a')
  })
})
