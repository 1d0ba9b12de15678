import assert from 'node:assert/strict'
import { git } from '../../support/git.js'
import { removeBranch } from '../../../src/usecases/requests/begin-request.js'
import { listChanges, listConflicting, diffChange } from '../../../src/usecases/requests/request-changes.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'
import { RequestWork } from './request-work.js'

describe('bringing a change request up to date', () => {
  let parts: ServiceParts
  let work: RequestWork

  before(async () => {
    parts = await openServiceParts()
    work = new RequestWork(parts)
  })
  after(() => parts.stop())

  const draft = (branch: { request: string }, path: string) => git(work.drafts, 'show', `${branch.request}:${path}`)
  const parentsOf = (commit: string) => git(work.drafts, 'log', '-1', '--format=%P', commit).split(' ')

  it('merges main in one commit on the branch, with main as its second parent', async () => {
    await work.put(parts.site, '/page', 'live')
    const branch = await work.begin()
    await work.put(branch, '/page', 'draft')
    await work.put(parts.site, '/other', 'of main')
    const [before, main] = [work.head(branch), work.main()]
    const { changed, commit, conflicts } = await work.update(branch)
    assert.deepEqual([changed, conflicts, work.head(branch)], [true, [], commit])
    assert.deepEqual(parentsOf(commit), [before, main])
    assert.deepEqual([draft(branch, 'page.html'), draft(branch, 'other.html')], ['draft', 'of main'])
    assert.equal(work.main(), main)
    assert.deepEqual(await work.update(branch), { changed: false, commit, conflicts: [] })
    const { commit: published } = await work.publish(branch)
    assert.deepEqual(git(parts.gitdir(), 'show', '--name-only', '--format=', published ?? ''), 'page.html')
    assert.equal(git(parts.gitdir(), 'log', '-1', '--format=%P', published ?? ''), main)
    git(work.drafts, 'fsck', '--full', '--strict')
  })

  it('answers conflicts as data, and takes the side that the client chooses for each path', async () => {
    for (const path of ['/keep', '/take', '/gone']) await work.put(parts.site, path, 'a\n')
    const branch = await work.begin()
    for (const path of ['/keep', '/take', '/gone']) await work.put(branch, path, 'request\n')
    for (const path of ['/keep', '/take']) await work.put(parts.site, path, 'main\n')
    await work.unpublish(parts.site, '/gone')
    const before = work.head(branch)
    const { changed, conflicts, commit } = await work.update(branch)
    assert.deepEqual([changed, commit, work.head(branch)], [false, before, before])
    assert.deepEqual(
      conflicts.map(({ path }) => path),
      ['gone.html', 'keep.html', 'take.html'],
    )
    assert.match(conflicts[1]?.hunks ?? '', /<<<<<<< ours\nrequest\n=======\nmain\n>>>>>>> theirs/)
    const { data: listed } = await listConflicting(parts.call(), { id: branch.request })
    assert.deepEqual(listed, conflicts)
    const settled = await work.update(branch, { ours: ['keep.html', 'gone.html'], theirs: ['take.html'] })
    assert.deepEqual([settled.changed, settled.conflicts], [true, []])
    assert.deepEqual([draft(branch, 'keep.html'), draft(branch, 'take.html')], ['request', 'main'])
    await work.publish(branch)
    assert.deepEqual(
      ['keep.html', 'take.html', 'gone.html'].map((path) => work.show(path)),
      ['request', 'main', 'request'],
    )
  })

  it('refuses a closed request, and says when its branch is gone', async () => {
    const branch = await work.begin()
    await parts.services.catalog.changeRequests.setState(branch.request, ['draft'], 'closed')
    await assert.rejects(work.update(branch), refusal('change_request_closed'))
    await removeBranch({ ...parts.call(), site: branch })
    await assert.rejects(listChanges(parts.call(), { id: branch.request }), refusal('conflict'))
  })

  it('is made once by two callers at once', async () => {
    const branch = await work.begin()
    await work.put(branch, '/twice', 'request')
    await work.put(parts.site, '/meanwhile', 'main')
    const before = work.head(branch)
    await Promise.all([work.update(branch), work.update(branch)])
    const count = git(work.drafts, 'rev-list', '--count', '--first-parent', `${before}..${branch.request}`)
    assert.equal(count, '1')
  })

  it('lists what the request changes, page by page, without what main changed', async () => {
    const kept = await work.put(parts.site, '/list/kept', 'a')
    const gone = await work.put(parts.site, '/list/gone', 'a')
    const branch = await work.begin()
    await work.put(branch, '/list/kept', '<title>Kept</title>b')
    await work.unpublish(branch, '/list/gone')
    const id = await work.put(branch, '/list/new', 'new')
    await work.put(parts.site, '/list/of-main', 'a')
    const list = async (cursor?: string) =>
      await listChanges(parts.call(), { id: branch.request, limit: 2, ...(cursor !== undefined && { cursor }) })
    const first = await list()
    const second = await list(first.nextCursor ?? undefined)
    const all = [...first.data, ...second.data]
    assert.equal(second.nextCursor, null)
    assert.deepEqual(
      all.map(({ path, change, page }) => [path.startsWith('.pages/') ? 'sidecar' : path, change, page?.id]),
      [
        ['list/gone.html', 'removed', gone],
        ['list/kept.html', 'modified', kept],
        ['list/new.html', 'added', id],
        ['sidecar', 'added', id],
      ],
    )
    assert.equal(all[1]?.page?.title, 'Kept')
    const { data: diff } = await diffChange(parts.call(), { id: branch.request, path: '/list/kept', as: 'text' })
    assert.match(diff.unified ?? '', /^-a$/m)
    await assert.rejects(diffChange(parts.call(), { id: branch.request, path: 'none.html' }), refusal('file_not_found'))
  })
})
