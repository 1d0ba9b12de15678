import assert from 'node:assert/strict'
import { git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { put } from '../client.js'

describe('edits of many pages', () => {
  let running: TestService
  let service: TestService
  before(async () => {
    running = await startTestService()
  })
  beforeEach(async () => {
    service = await running.inNewWorkspace()
    for (const name of ['one', 'two', 'three'])
      await put(service.api(), `/docs/${name}`, `<body>\r\n<p>${name} old old</p>\r\n`)
  })
  afterEach(() => service.stop())

  const edit = (body: object, query = '') => service.api().post(`/pages/edit${query}`).send(body)
  const html = async (path: string) => (await service.visit(path)).text

  it('change all pages with a prefix in one commit, with the line ends of each', async () => {
    const edits = [{ find: '<body>\n', replace: '<body>\n<nav>\n' }]
    const { body } = await edit({ prefix: '/docs/', edits, reason: 'navigation' }).expect(200)
    assert.deepEqual([body.data.count, body.data.pages.length], [3, 3])
    assert.equal(body.data.commit, git(service.gitdir(), 'rev-parse', 'main'))
    assert.equal(await html('/docs/two'), '<body>\r\n<nav>\r\n<p>two old old</p>\r\n')
    assert.match(
      git(service.gitdir(), 'log', '-1', '--format=%B', 'main'),
      /^navigation\n[^]*Operation: Change 3 pages/,
    )
  })

  it('replace all occurrences only with the count from a dry run', async () => {
    const body = { prefix: '/docs/', edits: [{ find: 'old', replace: 'new', occurrences: 'all' }] }
    const shown = (await edit(body, '?dryRun=true').expect(200)).body.data
    assert.deepEqual([shown.count, shown.commit, shown.changed], [6, null, true])
    assert.match(shown.dryRun.diff, /-<p>one old old<\/p>[^]*\+<p>one new new<\/p>/)
    for (const wrong of [body, { ...body, count: 5 }]) {
      const refused = (await edit(wrong).expect(409)).body.error
      assert.deepEqual([refused.code, refused.details], ['edit_not_applicable', { count: 6, pages: 3 }])
    }
    assert.match(await html('/docs/one'), /old old/)
    await edit({ ...body, count: 6 }).expect(200)
    assert.match(await html('/docs/one'), /new new/)
  })

  it('find patterns in linear time, and insert the matches', async () => {
    const edits = [{ pattern: '^<p>(\\w+) (old) ', replace: '<p>$2-$1$$ ' }]
    await edit({ pages: ['/docs/one'], edits }).expect(200)
    assert.match(await html('/docs/one'), /<p>old-one\$ old<\/p>/)
    for (const pattern of ['(', '(a)\\1', '(?=x)']) {
      const { body } = await edit({ pages: ['/docs/one'], edits: [{ pattern, replace: '' }] }).expect(409)
      assert.match(body.error.message, /pattern/)
    }
    await put(service.api(), '/long', 'a'.repeat(100_000))
    await edit({ pages: ['/long'], edits: [{ pattern: '^(a+)+$', replace: 'b' }] }).expect(200)
    assert.equal(await html('/long'), 'b')
  })

  it('name every page that cannot be edited, and change none', async () => {
    const head = git(service.gitdir(), 'rev-parse', 'main')
    const { body } = await edit({ pages: ['/docs/one', '/docs/two', '/none'], edits: [{ find: 'one', replace: 'x' }] })
    assert.deepEqual(
      body.error.details.errors.map(({ page, code }: { page: string; code: string }) => [page, code]),
      [
        ['/docs/two', 'edit_not_applicable'],
        ['/none', 'page_not_found'],
      ],
    )
    assert.equal(git(service.gitdir(), 'rev-parse', 'main'), head)
    for (const wrong of [{}, { pages: ['/docs/one'], prefix: '/' }]) {
      await edit({ ...wrong, edits: [{ find: 'one', replace: 'x' }] }).expect(400)
    }
  })

  it('lose no writes of others at the same time, and are answered alike if they are repeated', async () => {
    const writes = Array.from({ length: 10 }, (_, i) => put(service.api(), '/docs/two', `<body>\n<p>two ${i}</p>\n`))
    const send = () =>
      edit({
        prefix: '/docs/',
        edits: [{ find: '<body>', replace: '<body class=x>', occurrences: 'all' }],
        count: 3,
      }).set('Idempotency-Key', 'k')
    const [first] = await Promise.all([send(), ...writes])
    assert.ok(first.status === 200 || first.status === 409, JSON.stringify(first.body))
    // They arrive in any order: each is in the history, and the page is what the newest commit made it.
    const commits = git(service.gitdir(), 'log', '--format=%H', 'main', '--', 'docs/two.html').split('\n')
    const texts = commits.map((commit) => git(service.gitdir(), 'show', `${commit}:docs/two.html`))
    for (let i = 0; i < writes.length; i++)
      assert.ok(
        texts.some((text) => text.includes(`two ${i}<`)),
        `two ${i}`,
      )
    assert.equal((await html('/docs/two')).trim(), texts[0])
    if (first.status === 200) assert.equal((await send()).body.data.commit, first.body.data.commit)
  })
})
