import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { undoCommits } from '../../../src/usecases/sites/undo.js'
import { listCommits } from '../../../src/usecases/sites/site-history.js'
import { getRequest } from '../../../src/usecases/requests/requests.js'
import { publishRequest } from '../../../src/usecases/requests/publish-request.js'
import { publishPage } from '../../repository/disk/publish-page.js'
import { runHere } from '../../programs/shell.js'
import { assertSound, git } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'
import { RequestWork } from './request-work.js'

describe('publishing a change request', () => {
  let parts: ServiceParts
  let work: RequestWork

  before(async () => {
    parts = await openServiceParts()
    work = new RequestWork(parts)
  })
  after(() => parts.stop())

  const stateOf = async (id: string) => (await getRequest(parts.call(), { id })).data

  it('makes one signed commit with one parent, by the maker of the changes', async () => {
    const agent = parts.call({ key: await parts.mint({ label: 'Agent Ann' }) })
    const other = parts.call({ key: await parts.mint({ label: 'Helper Hal' }) })
    await work.put(parts.site, '/about', 'live')
    const branch = await work.begin('Say more about us', agent)
    await work.put(branch, '/about', 'by hal', other)
    await work.put(branch, '/about', 'proposed', agent)
    const id = await work.put(branch, '/new', 'new page', agent)
    const before = work.main()
    const { commit } = await work.publish(branch, {}, parts.call())
    assert.equal(work.main(), commit)
    const [subject, author, parents] = git(parts.gitdir(), 'log', '-1', '--format=%s%n%an%n%P').split('\n')
    assert.deepEqual([subject, author, parents], ['Say more about us', 'Agent Ann', before])
    assert.deepEqual([work.show('about.html'), work.show('new.html')], ['proposed', 'new page'])
    assert.deepEqual(work.trailers('Change-Request'), [branch.request])
    assert.deepEqual(work.trailers('Api-Key-Id'), [agent.principal.id])
    assert.deepEqual(work.trailers('Made-By'), [`Helper Hal (key ${other.principal.id})`])
    assert.match(work.trailers('Published-By')[0] ?? '', /^Ada \(key /)
    const { data: own } = await listCommits(agent, { id: parts.site.id, author: 'me' })
    assert.deepEqual([own[0]?.id, own[0]?.verified], [commit, 'service'])
    const found = await parts.services.indexFollower.read(parts.site, (index) => index.pages.find(id))
    assert.equal(found?.path, '/new', 'the page keeps its id')
    const { state, published } = await stateOf(branch.request)
    assert.deepEqual([state, published], ['published', commit])
    assertSound(parts.gitdir())
  })

  it('is undone as one, also by the agent that made the changes', async () => {
    const agent = parts.call({ key: await parts.mint({ label: 'Undo' }) })
    await work.put(parts.site, '/undo', 'before')
    const before = git(parts.gitdir(), 'rev-parse', 'main^{tree}')
    const branch = await work.begin('To undo', agent)
    await work.put(branch, '/undo', 'after', agent)
    await work.put(branch, '/undo-more', 'after', agent)
    await work.publish(branch)
    const since = new Date(parts.services.clock().getTime() - 1000).toISOString()
    const { data } = await undoCommits(agent, { id: parts.site.id, since })
    assert.equal(data.undone.length, 1)
    assert.equal(work.show('undo.html'), 'before')
    assert.equal(git(parts.gitdir(), 'ls-tree', 'main', 'undo-more.html'), '')
    assert.notEqual(before, '')
  })

  it('publishes once, whoever asks and however often', async () => {
    const branch = await work.begin()
    await work.put(branch, '/once', 'once')
    const before = work.main()
    const answers = await Promise.all(Array.from({ length: 4 }, () => work.publish(branch)))
    assert.equal(new Set(answers.map(({ commit }) => commit)).size, 1)
    assert.equal(work.main(), answers[0]?.commit)
    assert.equal(git(parts.gitdir(), 'rev-parse', 'main^'), before)
    await work.put(parts.site, '/later', 'later')
    assert.equal((await work.publish(branch)).commit, answers[0]?.commit)
    await assert.rejects(work.put(branch, '/once', 'again'), refusal('change_request_closed'))
  })

  it('finds its commit after a crash before the row was closed, and closes the row then', async () => {
    const branch = await work.begin()
    await work.put(branch, '/crash', 'crash')
    const { commit } = await work.publish(branch)
    // The row as a crash between the commit and the catalog leaves it.
    await parts.services.catalog.changeRequests.setState(branch.request, ['closed'], 'review')
    const again = await work.publish(branch)
    assert.equal(again.commit, commit)
    assert.equal(work.main(), commit)
    assert.equal((await stateOf(branch.request)).state, 'published')
  })

  it('merges with what main became meanwhile, also while others write', async () => {
    const lines = (first: string, last: string) => `<p>${first}</p>\n<p>b</p>\n<p>c</p>\n<p>d</p>\n<p>${last}</p>\n`
    await work.put(parts.site, '/merged', lines('a', 'e'))
    const branch = await work.begin()
    await work.put(branch, '/merged', lines('a', 'theirs'))
    await work.put(parts.site, '/merged', lines('ours', 'e'))
    const writers = Array.from({ length: 20 }, (_, at) => work.put(parts.site, `/beside-${at}`, 'beside'))
    const [{ commit }] = await Promise.all([work.publish(branch), ...writers])
    assert.equal(`${work.show('merged.html')}\n`, lines('ours', 'theirs'))
    const changed = git(parts.gitdir(), 'show', '--name-only', '--format=', commit ?? '')
    assert.equal(changed, 'merged.html')
    assert.equal(git(parts.gitdir(), 'ls-tree', '--name-only', 'main').match(/^beside-/gm)?.length, 20)
  })

  it('has every write that was acknowledged when it closes, and refuses those that come too late', async () => {
    for (let round = 0; round < 6; round++) {
      const branch = await work.begin(`Round ${round}`)
      await work.put(branch, `/race-${round}`, 'first')
      const names = [0, 1, 2, 3, 4, 5].map((at) => `race-${round}-${at}`)
      const publishing = work.publish(branch).catch(refusal('conflict'))
      const written = await Promise.allSettled(names.map((name) => work.put(branch, `/${name}`, 'late')))
      await publishing
      // One that was overtaken too often published nothing.
      const { commit } = await work.publish(branch)
      const files = git(parts.gitdir(), 'ls-tree', '--name-only', commit ?? '').split('\n')
      for (const [at, answer] of written.entries()) {
        assert.equal(files.includes(`${names[at]}.html`), answer.status === 'fulfilled', names[at])
        if (answer.status === 'rejected') assert.ok(refusal('change_request_closed')(answer.reason))
      }
    }
  })

  it('ends the branch for a write that was allowed before, and comes to the disk after', async () => {
    const branch = await work.begin()
    await work.put(branch, '/in-time', 'in time')
    const head = work.head(branch)
    await work.publish(branch)
    const late = publishPage(parts.services.store, branch, '/late', 'late')
    await assert.rejects(late, refusal('change_request_closed'))
    assert.equal(work.head(branch), head)
  })

  it('refuses conflicts with each path, and changes nothing', async () => {
    await work.put(parts.site, '/both', 'a\n')
    await work.put(parts.site, '/gone', 'a\n')
    const branch = await work.begin()
    await work.put(branch, '/both', 'request\n')
    await work.put(branch, '/gone', 'request\n')
    await work.put(branch, '/taken', 'request\n')
    await work.put(parts.site, '/both', 'main\n')
    await work.unpublish(parts.site, '/gone')
    await work.put(parts.site, '/taken', 'main\n')
    const before = work.main()
    await assert.rejects(
      work.publish(branch),
      (error: { code: string; details: { conflicts: { path: string }[] } }) => {
        assert.equal(error.code, 'merge_conflict')
        assert.deepEqual(
          error.details.conflicts.map(({ path }) => path),
          ['both.html', 'gone.html', 'taken.html'],
        )
        return true
      },
    )
    assert.equal(work.main(), before)
  })

  it('never gives a page of main another id, not even where both have the same html', async () => {
    const branch = await work.begin()
    await work.put(branch, '/same', 'same')
    const id = await work.put(parts.site, '/same', 'same')
    await work.put(branch, '/besides', 'more')
    await assert.rejects(work.publish(branch), refusal('merge_conflict'))
    const page = await parts.services.indexFollower.read(parts.site, (index) => index.pages.findByPath('/same'))
    assert.equal(page?.id, id)
  })

  it('refuses a request that changes nothing, a newer head than was looked at, and withdrawn html', async () => {
    const empty = await work.begin()
    await assert.rejects(work.publish(empty), refusal('conflict'))
    const branch = await work.begin()
    await work.put(branch, '/looked-at', 'one')
    const ifHead = work.head(branch)
    await work.put(branch, '/looked-at', 'two')
    await assert.rejects(work.publish(branch, { ifHead }), refusal('precondition_failed'))
    const blob = git(work.drafts, 'rev-parse', `${branch.request}:looked-at.html`)
    const { catalog } = parts.services
    await catalog.withdrawals.add({
      siteId: parts.site.id,
      blob,
      pageId: branch.request,
      commit: work.main(),
      author: 'Ada',
    })
    await assert.rejects(work.publish(branch), refusal('conflict'))
  })

  it('obeys the paths of a limited key', async () => {
    const branch = await work.begin()
    await work.put(branch, '/docs/in', 'in')
    await work.put(branch, '/out', 'out')
    const limited = parts.call({ key: await parts.mint({ scopes: ['write'], paths: ['/docs/*'] }) })
    await assert.rejects(work.publish(branch, {}, limited), refusal('path_not_allowed'))
  })

  it('repeats the answer of a request with an Idempotency-Key', async () => {
    const branch = await work.begin()
    await work.put(branch, '/key', 'key')
    const call = parts.call({ idempotencyKey: 'publish-once', route: 'POST /change-requests/{id}/publish' })
    const first = await work.publish(branch, {}, call)
    assert.deepEqual(await work.publish(branch, {}, call), first)
  })

  it('shows in a dry run what it would change, and publishes nothing', async () => {
    const branch = await work.begin()
    await work.put(branch, '/shown', 'shown')
    const before = work.main()
    const { data } = await publishRequest(parts.call(), { id: branch.request, dryRun: true })
    assert.deepEqual([data.commit, data.dryRun?.previewUrl], [null, null])
    assert.ok(data.dryRun?.files.some(({ path }) => path === 'shown.html'))
    assert.equal(work.main(), before)
    assert.equal((await stateOf(branch.request)).state, 'draft')
  })

  it('brings blobs of any size, and none that only looks stored in the site', async () => {
    const branch = await work.begin()
    const html = `<p>${randomBytes(400_000).toString('hex')}</p>`
    await work.put(branch, '/large', html)
    // The site has the same bytes, and nothing reaches them.
    runHere({ command: ['git', '-C', parts.gitdir(), 'hash-object', '-w', '--stdin'], input: html })
    await work.publish(branch)
    git(parts.gitdir(), 'gc', '--quiet', '--prune=now')
    assert.equal(work.show('large.html'), html)
    assertSound(parts.gitdir())
  })

  it('publishes thousands of files in one commit, and names the author of the request where no commit is signed', async () => {
    const branch = await work.begin('Many files')
    const files = Array.from({ length: 2000 }, (_, at) => `many/${at % 20}/${at}.css`)
    const commands = [
      `commit refs/heads/${branch.request}`,
      'committer Olga Operator <olga@example.org> 1700000000 +0000',
      'data 4\nmany',
      `from ${work.head(branch)}`,
      ...files.flatMap((path) => [`M 100644 inline ${path}`, `data ${path.length}\n${path}`]),
      'done',
    ]
    const input = `${commands.join('\n')}\n`
    runHere({ command: ['git', '-C', work.drafts, 'fast-import', '--quiet', '--done'], input })
    parts.services.store.reader.expire(branch)
    const before = work.main()
    const { commit } = await work.publish(branch)
    assert.equal(git(parts.gitdir(), 'log', '-1', '--format=%P %an', commit ?? ''), `${before} Ada`)
    assert.equal(git(parts.gitdir(), 'ls-tree', '-r', '--name-only', 'main', 'many/').split('\n').length, 2000)
    assert.deepEqual(work.trailers('Api-Key-Id'), [parts.call().principal.id])
    assertSound(parts.gitdir())
  })
})
