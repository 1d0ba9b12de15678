import assert from 'node:assert/strict'
import type { Site } from '../../../src/catalog/site.js'
import { patchPage } from '../../../src/usecases/moves/move-page.js'
import { getPage } from '../../../src/usecases/pages/pages.js'
import { listVersions } from '../../../src/usecases/pages/versions.js'
import { undoCommits } from '../../../src/usecases/sites/undo.js'
import { assertSound, git } from '../../support/git.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'
import { RequestWork } from './request-work.js'

const LINES = 'one\n\n\ntwo\n\n\nthree\n'

describe('a page that is moved on one side of a change request', () => {
  let parts: ServiceParts
  let work: RequestWork

  before(async () => {
    parts = await openServiceParts()
    work = new RequestWork(parts)
  })
  after(() => parts.stop())

  const move = async (site: Site, id: string, path: string) => {
    const call = parts.call()
    await patchPage({ ...call, target: { ...call.target, site } }, { id, path })
  }
  const isThere = (path: string) => git(parts.gitdir(), 'ls-tree', 'main', path) !== ''

  it('keeps what main wrote to it, with its id and its versions, where the request moved it', async () => {
    const id = await work.put(parts.site, '/old', LINES)
    const branch = await work.begin()
    await move(branch, id, '/new')
    await work.put(parts.site, '/old', LINES.replace('one', 'of main'))
    await work.publish(branch)
    assert.equal(`${work.show('new.html')}\n`, LINES.replace('one', 'of main'))
    assert.equal(isThere('old.html'), false)
    assert.equal((await getPage(parts.call(), { id })).data.path, '/new')
    assert.equal((await listVersions(parts.call(), { id })).data.length, 3)
    assert.match(git(parts.gitdir(), 'grep', '"from":"/old"', 'main', '--', '.former'), new RegExp(id))
    assertSound(parts.gitdir())
  })

  it('merges what both wrote to it, and undoes all of that as one', async () => {
    const id = await work.put(parts.site, '/both', LINES)
    const branch = await work.begin()
    await move(branch, id, '/both-moved')
    await work.put(branch, '/both-moved', LINES.replace('three', 'of the request'))
    const main = LINES.replace('one', 'of main')
    await work.put(parts.site, '/both', main)
    const { commit } = await work.publish(branch)
    assert.equal(`${work.show('both-moved.html')}\n`, main.replace('three', 'of the request'))
    await undoCommits(parts.call(), { id: parts.site.id, commits: [commit ?? ''] })
    assert.equal(`${work.show('both.html')}\n`, main)
    assert.equal((await getPage(parts.call(), { id })).data.path, '/both')
  })

  it('gets what the request wrote to it where main moved it', async () => {
    const id = await work.put(parts.site, '/api', LINES)
    const branch = await work.begin()
    await work.put(branch, '/api', LINES.replace('two', 'of the request'))
    await move(parts.site, id, '/moved')
    await work.put(parts.site, '/moved', LINES.replace('three', 'of main'))
    await work.update(branch)
    await work.publish(branch)
    assert.equal(`${work.show('moved.html')}\n`, LINES.replace('two', 'of the request').replace('three', 'of main'))
    assert.deepEqual([isThere('api.html'), (await getPage(parts.call(), { id })).data.path], [false, '/moved'])
  })

  it('conflicts at its new path where both wrote the same lines, and the client settles that', async () => {
    const id = await work.put(parts.site, '/fight', LINES)
    const branch = await work.begin()
    await move(branch, id, '/fought')
    await work.put(branch, '/fought', LINES.replace('two', 'of the request'))
    await work.put(parts.site, '/fight', LINES.replace('two', 'of main'))
    const { conflicts } = await work.update(branch)
    assert.deepEqual(
      conflicts.map(({ path, reason }) => [path, reason]),
      [['fought.html', 'changed']],
    )
    await work.update(branch, { ours: ['fought.html'] })
    await work.publish(branch)
    assert.equal(`${work.show('fought.html')}\n`, LINES.replace('two', 'of the request'))
    assert.equal(isThere('fight.html'), false)
  })

  it('keeps what was written to it since when its move is undone', async () => {
    const id = await work.put(parts.site, '/first', LINES)
    await move(parts.site, id, '/second')
    const moved = work.main()
    await work.put(parts.site, '/second', LINES.replace('one', 'later'))
    await undoCommits(parts.call(), { id: parts.site.id, commits: [moved] })
    assert.equal(`${work.show('first.html')}\n`, LINES.replace('one', 'later'))
    assert.deepEqual([isThere('second.html'), (await getPage(parts.call(), { id })).data.path], [false, '/first'])
  })
})
