// Pushes to refs/for/main, by git itself: they make change requests and add to them, and main stays as it is.

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { connectAgent } from '../../support/people/connect-agent.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { assertSound, git } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { untilNoQuarantine } from '../../protocols/git-http/quarantines.js'
import { WorkingClones } from './working-clones.js'

interface RequestData {
  id: string
  number: number
  title: string
  state: string
  author: string
  mine: boolean
  makers: { label: string }[]
  head: string
}

describe('a push to refs/for/main', () => {
  let service: TestService
  let clones: WorkingClones
  let proposer: string

  before(async () => {
    service = await startTestService('proposed')
    clones = new WorkingClones(service)
    proposer = (await service.mint({ scopes: ['propose'], label: 'Proposer' })).key
    await service.api().put('/pages?path=/about').send({ html: 'live' }).expect(201)
  })
  after(async () => {
    await service.stop()
    clones.remove()
  })
  afterEach(() => untilNoQuarantine(service.gitdir()))

  const drafts = () => join(service.dataDir, 'drafts', `${service.site.slug}.git`)
  const mainNow = () => git(service.gitdir(), 'rev-parse', 'main')

  async function listed(key = service.key): Promise<RequestData[]> {
    const { body } = await service.api(key).get(`/sites/${service.site.id}/change-requests`).expect(200)
    return (body as { data: RequestData[] }).data
  }

  async function newest(key?: string): Promise<RequestData> {
    const [request] = await listed(key)
    assert.ok(request !== undefined)
    return request
  }

  /** Refused with these words; no change request comes or changes, and main stays. */
  async function refused(clone: string, words: RegExp, ...args: string[]): Promise<string> {
    const before = [mainNow(), await listed()]
    const said = await clones.refused(clone, words, ...args)
    assert.deepEqual([mainNow(), await listed()], before)
    return said
  }

  const propose = (clone: string, ...args: string[]) => clones.taken(clone, ...args, 'origin', 'HEAD:refs/for/main')

  it('makes a change request of the pushed commits, and says how to look at it and go on', async () => {
    const before = mainNow()
    const clone = await clones.make(proposer)
    await clones.commit(clone, { 'about.html': 'proposed' }, 'Say it better')
    const tip = await clones.commit(clone, { 'hours.html': 'Open from 9' }, 'Tell the hours\n\nIn full.')
    const said = await propose(clone)
    const request = await newest()
    assert.equal(request.head, tip)
    assert.deepEqual([request.title, request.state, request.author], ['Tell the hours', 'draft', 'Proposer'])
    assert.deepEqual(
      request.makers.map(({ label }) => label),
      ['Proposer'],
    )
    assert.equal((await newest(proposer)).mine, true)
    for (const words of [
      `change request ${request.number} has it, and nothing of it is live`,
      `palimpsest changes show ${request.number} --site proposed`,
      `git push <remote> HEAD:refs/for/main/${request.number}`,
      request.id,
    ])
      assert.ok(said.includes(words), said)
    assert.match(said, /^remote: {3}adds {6}http:\S+\/hours\s*$/m)
    assert.match(said, /^remote: {3}replaces {2}http:\S+\/about\s*$/m)
    assert.equal(mainNow(), before)
    assert.equal((await service.visit('/about')).text, 'live')
    const { body } = await service.api().get(`/change-requests/${request.id}/changes`).expect(200)
    assert.deepEqual(
      (body as { data: { path: string; change: string }[] }).data.map(({ path, change }) => [path, change]),
      [
        ['about.html', 'modified'],
        ['hours.html', 'added'],
      ],
    )
    assertSound(drafts())
  })

  it('keeps its commits out of the repository of the site, which shows and hands out none of them', async () => {
    const clone = await clones.make(proposer)
    const tip = await clones.commit(clone, { 'secret.html': 'not for everybody' })
    await propose(clone)
    const blob = await clones.in(clone, 'rev-parse', 'HEAD:secret.html')
    const other = await clones.make(proposer)
    for (const oid of [tip, blob]) {
      assert.throws(() => git(service.gitdir(), 'cat-file', '-e', oid))
      assert.match(await clones.client.failure('-C', clones.client.path(other), 'fetch', 'origin', oid), /not our ref/)
    }
    const refs = await clones.in(other, 'ls-remote', 'origin')
    assert.doesNotMatch(refs, new RegExp(`${tip}|refs/for|${(await newest()).id}`))
    assert.doesNotMatch(git(service.gitdir(), 'for-each-ref'), /refs\/for/)
  })

  it('adds commits to the one that its ref or its option names', async () => {
    const clone = await clones.make(proposer)
    await clones.commit(clone, { 'more.html': 'one' })
    await propose(clone, '-o', 'title=Three steps')
    const { id, number, title } = await newest()
    assert.equal(title, 'Three steps')
    const before = (await listed()).length
    const headOf = async () => (await listed()).find((request) => request.id === id)?.head
    const second = await clones.commit(clone, { 'more.html': 'two' })
    const said = await clones.taken(clone, 'origin', `HEAD:refs/for/main/${number}`)
    assert.match(said, new RegExp(`change request ${number} has it`))
    assert.equal(await headOf(), second)
    const third = await clones.commit(clone, { 'more.html': 'three' })
    await clones.taken(clone, 'origin', `HEAD:refs/for/main/${id}`)
    assert.equal(await headOf(), third)
    const fourth = await clones.commit(clone, { 'more.html': 'four' })
    await propose(clone, '-o', `changeRequest=${number}`, '-o', 'title=Four steps')
    assert.equal(await headOf(), fourth)
    assert.deepEqual([(await listed()).length, (await newest()).title], [before, 'Four steps'])
    assertSound(drafts())
  })

  it('is refused for commits that an open change request of the same author has, and taken from others', async () => {
    const clone = await clones.make(proposer)
    await clones.commit(clone, { 'twice.html': 'twice' })
    await propose(clone)
    const { id, number } = await newest()
    const words = new RegExp(`change request ${number} has these commits already`)
    await refused(clone, words, 'origin', 'HEAD:refs/for/main')
    await clones.taken(clone, clones.url(), 'HEAD:refs/for/main')
    await service.api().patch(`/change-requests/${id}`).send({ state: 'closed' }).expect(200)
    await propose(clone)
  })

  it('is refused if as many of the author are open as may be', async () => {
    const { key } = await service.mint({ scopes: ['propose'], label: 'Busy' })
    const clone = await clones.make(key)
    await clones.commit(clone, { 'quota.html': 'first' })
    await propose(clone)
    const { services } = service.server.service
    const { madeBy, userId } = services.catalog.changeRequests.find((await newest()).id) ?? assert.fail()
    const row = { siteId: service.site.id, title: 'Open', state: 'draft', author: 'Busy', madeBy, userId } as const
    const ids = Array.from({ length: 99 }, () => randomUUID())
    for (const id of ids) await services.catalog.changeRequests.create({ ...row, id })
    await clones.commit(clone, { 'quota.html': 'second' })
    const { stderr } = await clones.push(clone, 'origin', 'HEAD:refs/for/main')
    assert.match(stderr, /100/)
    for (const id of ids) await services.catalog.changeRequests.remove(id)
    await propose(clone)
  })

  it('is refused if the workspace would have too many bytes, and leaves nothing', async () => {
    const clone = await clones.make(proposer)
    await clones.commit(clone, { 'large.bin': randomBytes(200_000).toString('hex') })
    const { workspaces } = service.server.service.services.catalog
    const branches = git(drafts(), 'for-each-ref')
    await workspaces.setQuotas(service.workspaceId, { bytes: 1 })
    try {
      await refused(clone, /quota|bytes/i, 'origin', 'HEAD:refs/for/main')
    } finally {
      await workspaces.setQuotas(service.workspaceId, { bytes: null })
    }
    assert.equal(git(drafts(), 'for-each-ref'), branches)
    await propose(clone)
  })

  it('goes on beside writes of the API in the same change request', async () => {
    const clone = await clones.make()
    await clones.commit(clone, { 'both.html': 'by git' })
    await propose(clone)
    const { id, number } = await newest()
    await service.api().post(`/pages?changeRequest=${id}`).send({ path: '/by-api', html: 'api' }).expect(201)
    await clones.commit(clone, { 'late.html': 'late' })
    await refused(
      clone,
      new RegExp(`change request ${number} has commits that this push lacks`),
      'origin',
      `HEAD:refs/for/main/${number}`,
    )
    await refused(clone, /has commits that this push lacks/, '--force', 'origin', `HEAD:refs/for/main/${number}`)
  })

  it('begins where the clone is, also if main has moved since, and takes merges of main', async () => {
    const clone = await clones.make()
    const fork = await clones.in(clone, 'rev-parse', 'HEAD')
    await service.api().put('/pages?path=/moved').send({ html: 'moved' }).expect(201)
    await clones.commit(clone, { 'behind.html': 'behind' })
    await propose(clone)
    const { id, number, head } = await newest()
    assert.equal(git(drafts(), 'rev-parse', `${id}~1`), fork)
    await clones.in(clone, 'pull', '--quiet', '--no-rebase', '--no-edit')
    const merged = await clones.commit(clone, { 'behind.html': 'up to date' })
    await clones.taken(clone, 'origin', `HEAD:refs/for/main/${number}`)
    assert.notEqual(head, merged)
    const { body } = await service.api().get(`/change-requests/${id}/changes`).expect(200)
    assert.deepEqual(
      (body as { data: { path: string }[] }).data.map(({ path }) => path),
      ['behind.html'],
    )
    await service.api().post(`/change-requests/${id}/publish`).send({}).expect(200)
    assert.equal((await service.visit('/behind')).text, 'up to date')
    assert.equal((await service.visit('/moved')).text, 'moved')
  })

  it('is published as one commit by its maker, and undone as one', async () => {
    const clone = await clones.make(proposer)
    await clones.commit(clone, { 'about.html': 'published', 'one.html': 'one' }, 'One')
    await clones.commit(clone, { 'two.html': 'two' }, 'Two')
    await propose(clone)
    const { id } = await newest()
    const before = mainNow()
    await service.api().post(`/change-requests/${id}/publish`).send({}).expect(200)
    assert.equal(git(service.gitdir(), 'rev-parse', 'main~1'), before)
    assert.equal(git(service.gitdir(), 'log', '-1', '--format=%an', 'main'), 'Proposer')
    assert.equal((await service.visit('/two')).text, 'two')
    const undo = { commits: [mainNow()] }
    await service.api().post(`/sites/${service.site.id}/undo`).send(undo).expect(200)
    const left = await Promise.all(['/about', '/one', '/two'].map((path) => service.visit(path)))
    assert.deepEqual(
      left.map(({ status }) => status),
      [200, 404, 404],
    )
    assert.equal(left[0]?.text, 'live')
  })

  it('is shown by a dry run, which keeps nothing', async () => {
    const clone = await clones.make(proposer)
    await clones.commit(clone, { 'tried.html': 'tried' })
    const said = await refused(clone, /dry run: it would be taken/, '-o', 'dry-run', 'origin', 'HEAD:refs/for/main')
    assert.match(said, /would propose this/)
    assert.match(said, /adds {6}\S+\/tried/)
  })

  it('is refused if there is nothing to propose, or nothing that goes on from main', async () => {
    const clone = await clones.make(proposer)
    await refused(clone, /there is nothing to propose: main has this commit already/, 'origin', 'HEAD:refs/for/main')
    await clones.in(clone, 'checkout', '--quiet', '--orphan', 'other')
    await clones.commit(clone, { 'other.html': 'other' })
    await refused(clone, /this history does not begin with a commit of main/, 'origin', 'HEAD:refs/for/main')
    await clones.in(clone, 'checkout', '--quiet', 'main')
    await clones.commit(clone, { 'again.html': 'again' })
    await propose(clone)
    const { number } = await newest()
    await refused(clone, /has this commit already/, 'origin', `HEAD:refs/for/main/${number}`)
  })

  it('is refused if main was merged by way of another branch, since what main removed could come back', async () => {
    const clone = await clones.make()
    await clones.in(clone, 'checkout', '--quiet', '-b', 'topic')
    await clones.commit(clone, { 'topic.html': 'topic' })
    await service.api().put('/pages?path=/newer').send({ html: 'newer' }).expect(201)
    await clones.in(clone, 'fetch', '--quiet')
    await clones.in(clone, 'checkout', '--quiet', '-b', 'side', 'origin/main')
    await clones.commit(clone, { 'side.html': 'side' })
    await clones.in(clone, 'checkout', '--quiet', 'topic')
    await clones.in(clone, 'merge', '--quiet', '--no-edit', 'side')
    await refused(
      clone,
      /main was merged into it by way of another branch.*git pull --rebase/,
      'origin',
      'HEAD:refs/for/main',
    )
    await clones.in(clone, 'pull', '--quiet', '--rebase', 'origin', 'main')
    await propose(clone)
  })

  it('comes alone, under its own name, and deletes nothing', async () => {
    const clone = await clones.make()
    await clones.commit(clone, { 'alone.html': 'alone' })
    await clones.in(clone, 'tag', 'with-it')
    await refused(clone, /push it alone/, 'origin', 'HEAD:refs/for/main', 'main')
    await refused(clone, /push it alone/, 'origin', 'HEAD:refs/for/main', 'with-it')
    await refused(clone, /push it alone/, 'origin', 'HEAD:refs/for/main', 'HEAD:refs/for/main/1')
    for (const ref of ['refs/for/master', 'refs/for/topic', 'refs/for/refs/heads/main'])
      await refused(clone, /made by refs\/for\/main: git push <remote> HEAD:refs\/for\/main/, 'origin', `HEAD:${ref}`)
    await refused(clone, /no change request of that name/, 'origin', 'HEAD:refs/for/main/topic')
    await refused(clone, /no change request of that name/, 'origin', 'HEAD:refs/for/main/99999')
    await refused(clone, /name different change requests/, '-o', 'changeRequest=2', 'origin', 'HEAD:refs/for/main/1')
    await refused(clone, /palimpsest changes close/, 'origin', ':refs/for/main/1')
    await refused(clone, /refs\/for\/main makes a change request/, 'origin', 'HEAD:refs/heads/for/main')
  })

  it('knows its options, and a push to main refuses the one that names a change request', async () => {
    const clone = await clones.make()
    await clones.commit(clone, { 'options.html': 'options' })
    for (const option of ['changeRequest=1', 'change-request=1', 'changerequest'])
      await refused(clone, /this push would publish, and its option/, '-o', option, 'origin', 'HEAD:main')
    for (const option of ['change-request=1', 'dryrun'])
      await refused(clone, /there is no push option/, '-o', option, 'origin', 'HEAD:refs/for/main')
    const said = await propose(clone, '-o', 'changeRequest=new', '-o', 'message=x')
    assert.match(said, /no push option "message=x", so it did nothing\. There are title=<text>/)
  })

  it('is judged as a push to main is, also for a key that is limited to paths', async () => {
    const { key } = await service.mint({ scopes: ['propose'], paths: ['/blog/*'] })
    const clone = await clones.make(key)
    await clones.commit(clone, { 'blog/post.html': 'post', 'other.html': 'other' })
    await refused(clone, /This key may not write to \/other\.html/, 'origin', 'HEAD:refs/for/main')
    await clones.in(clone, 'reset', '--quiet', '--hard', 'origin/main')
    await clones.commit(clone, { 'blog/post.html': 'post' })
    await propose(clone)
    await clones.in(clone, 'rm', '--quiet', '.site.json')
    await clones.commit(clone, {})
    const whole = await service.mint({ scopes: ['propose'] })
    await refused(clone, /\.site\.json holds the site's id/, clones.url(whole.key), 'HEAD:refs/for/main')
  })

  it('is taken from keys that propose, and from no others; main and tags need more', async () => {
    const { key: reader } = await service.mint({ scopes: ['read'] })
    const clone = await clones.make(reader)
    await clones.commit(clone, { 'rights.html': 'rights' })
    await refused(clone, /This needs a key with the scope "propose"|403/, 'origin', 'HEAD:refs/for/main')
    const to = clones.url(proposer)
    const proposal = /needs a key with the scope "write"\. git push <remote> HEAD:refs\/for\/main proposes the same/
    await refused(clone, proposal, to, 'HEAD:main')
    await refused(clone, /tags need a key with the scope "write"/, to, 'HEAD~1:refs/tags/v1')
    await refused(clone, /to propose what is checked out: git push <remote> HEAD:refs\/for\/main/, to, 'HEAD:topic')
    await refused(clone, /dry run: it would be taken/, '-o', 'dry-run', to, 'HEAD:main')
  })

  it('is taken from an agent, and hidden from other proposers', async () => {
    const owner = await signInAs(service, 'owner')
    const resource = `http://localhost:${service.server.port}/api/v1`
    const { access_token: token } = await connectAgent(service, owner, { resource, choice: { scope: 'propose' } })
    const clone = await clones.make(token)
    await clones.commit(clone, { 'agent.html': 'agent' }, 'By an agent')
    await propose(clone)
    const { id, number, title } = await newest()
    assert.equal(title, 'By an agent')
    await clones.commit(clone, { 'agent.html': 'other' })
    await refused(clone, /no change request of that name/, clones.url(proposer), `HEAD:refs/for/main/${number}`)
    await refused(clone, /no change request of that name/, clones.url(proposer), `HEAD:refs/for/main/${id}`)
    await clones.taken(clone, clones.url(), `HEAD:refs/for/main/${number}`)
  })

  it('is refused for one that is closed, and leaves nothing if its row cannot be stored', async () => {
    const clone = await clones.make()
    await clones.commit(clone, { 'closed.html': 'closed' })
    await propose(clone)
    const { id, number } = await newest()
    await service.api().patch(`/change-requests/${id}`).send({ state: 'closed' }).expect(200)
    await clones.commit(clone, { 'closed.html': 'more' })
    await refused(
      clone,
      new RegExp(`change request ${number} is closed or published`),
      'origin',
      `HEAD:refs/for/main/${number}`,
    )
    const branches = () => git(drafts(), 'for-each-ref', '--format=%(refname)')
    const before = branches()
    for (const table of ['change_requests', 'change_request_makers']) {
      const catalog = openSqlite(join(service.dataDir, 'catalog.db'), { synchronous: 'FULL' })
      catalog.exec(`CREATE TRIGGER no_rows BEFORE INSERT ON ${table} BEGIN SELECT RAISE(ABORT, 'no'); END`)
      try {
        await refused(clone, /error/, 'origin', 'HEAD:refs/for/main')
      } finally {
        catalog.exec('DROP TRIGGER no_rows')
        catalog.close()
      }
      assert.equal(branches(), before)
    }
    await propose(clone)
    assertSound(drafts())
  })
})
