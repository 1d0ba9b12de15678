import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPage, getPage, listPages, replacePage } from '../../../src/usecases/pages/pages.js'
import { unpublishPage } from '../../../src/usecases/moves/unpublish-page.js'
import { diffVersions, getVersion, listVersions, rollbackPage } from '../../../src/usecases/pages/versions.js'
import { git, withClone } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('versions', () => {
  let shared: ServiceParts
  let parts: ServiceParts
  let id: string
  const replace = (html: string) => replacePage(parts.call(), { id, html })
  const unpublish = () => unpublishPage(parts.call(), { id })
  const rollback = (version: number | string, more: object = {}) => rollbackPage(parts.call(), { id, version, ...more })
  const html = async () => (await getPage(parts.call(), { id })).data.html

  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
    const { data } = await createPage(parts.call(), { path: '/a', html: 'one\nsame\n' })
    id = data.id
  })
  after(() => shared.stop())

  it('are listed newest first, with author and action', async () => {
    await replace('two\n')
    await unpublish()
    await rollback(1)
    const { data } = await listVersions(parts.call(), { id })
    assert.deepEqual(
      data.map(({ number, action, author, size }) => [number, action, author, size]),
      [
        [4, 'rollback', 'Ada', 9],
        [3, 'unpublish', 'Ada', 0],
        [2, 'replace', 'Ada', 4],
        [1, 'publish', 'Ada', 9],
      ],
    )
    assert.equal(data[0]?.id, git(parts.gitdir(), 'rev-parse', 'main'))
    assert.equal(data[0]?.etag, `"${data[0]?.id}"`)
  })

  it('are read by number or commit, with their html, which is null if the version unpublished the page', async () => {
    await replace('two\n')
    await unpublish()
    const read = (version: number | string) => getVersion(parts.call(), { id, version })
    const { data: first } = await read(1)
    assert.equal(first.html, 'one\nsame\n')
    assert.deepEqual((await read(first.id)).data, first)
    assert.deepEqual((await read('2')).data.html, 'two\n')
    assert.equal((await read(3)).data.html, null)
    for (const version of [0, 4, 'f'.repeat(40), 'main']) {
      await assert.rejects(read(version), refusal('version_not_found'))
    }
  })

  it('are compared as git diff compares them', async () => {
    await replace('two\nsame\n')
    const diff = (more: object = {}) => diffVersions(parts.call(), { id, ...more })
    const { data } = await diff()
    assert.deepEqual([data.from?.number, data.to.number], [1, 2])
    const [, , ...lines] = (data.unified ?? '').split('\n')
    const theirs = git(parts.gitdir(), 'diff', 'main~1', 'main', '--', 'a.html').split('\n')
    assert.deepEqual(lines.slice(0, -1), theirs.slice(theirs.findIndex((line) => line.startsWith('@@'))))
    assert.deepEqual(data.hunks?.[0]?.lines, ['-one', '+two', ' same'])
    const first = await diff({ to: 1 })
    assert.equal(first.data.from, null)
    assert.deepEqual(first.data.hunks?.[0]?.lines, ['+one', '+same'])
    assert.deepEqual((await diff({ from: 2, to: 2 })).data.hunks, [])
  })

  it('are restored by a rollback after ten later edits; its commit names each edit that it undoes', async () => {
    for (let edit = 1; edit <= 10; edit++) await replace(`edit ${edit}`)
    const undone = git(parts.gitdir(), 'rev-list', '-n', '10', 'main').split('\n')
    const { data, created } = await rollback(1, { reason: 'the old one was right' })
    assert.equal(created, undefined)
    assert.equal(data.version.number, 12)
    assert.equal(await html(), 'one\nsame\n')
    const message = git(parts.gitdir(), 'log', '-1', '--format=%B')
    const first = git(parts.gitdir(), 'rev-list', 'main', '--', 'a.html').split('\n').at(-1) ?? ''
    assert.match(message, /^the old one was right\n/)
    assert.match(message, new RegExp(`^Operation: Roll back /a to ${first.slice(0, 10)}$`, 'm'))
    assert.deepEqual(
      [...message.matchAll(/^This reverts commit ([0-9a-f]{40})\.$/gm)].map(([, oid]) => oid),
      undone,
    )
  })

  it('are counted if a rollback undoes more than a hundred; its commit names the newest of them', async () => {
    for (let edit = 1; edit <= 102; edit++) await replace(`edit ${edit}`)
    const newest = git(parts.gitdir(), 'rev-list', '-n', '100', 'main').split('\n')
    await rollback(1)
    const message = git(parts.gitdir(), 'log', '-1', '--format=%B')
    const named = [...message.matchAll(/^This reverts commit ([0-9a-f]{40})\.$/gm)].map(([, oid]) => oid)
    assert.deepEqual(named, newest)
    assert.match(message, /^And 2 earlier commits\.$/m)
  })

  it('publish an unpublished page again with its id', async () => {
    await unpublish()
    const { data } = await rollback(1)
    assert.equal(data.id, id)
    assert.equal(data.status, 'published')
    assert.equal((await listPages(parts.call(), {})).data[0]?.id, id)
  })

  it('make no commit if a rollback changes nothing', async () => {
    await replace('two')
    await rollback(1)
    const head = git(parts.gitdir(), 'rev-parse', 'main')
    const { data } = await rollback(1)
    assert.equal(data.changed, false)
    assert.equal(git(parts.gitdir(), 'rev-parse', 'main'), head)
  })

  it('refuse a rollback if they have no HTML', async () => {
    await unpublish()
    await rollback(1)
    await assert.rejects(rollback(2), refusal('conflict'))
    await assert.rejects(rollback(9), refusal('version_not_found'))
  })

  it('honour If-Match on a rollback', async () => {
    const { data } = await replace('two')
    await replace('three')
    await assert.rejects(rollback(1, { ifMatch: [data.version.id] }), refusal('precondition_failed'))
    assert.equal(await html(), 'three')
  })

  it('are rolled back only once if the request is repeated, even if the pushed page changed later', async () => {
    await withClone(parts.gitdir(), (folder) => {
      for (const text of ['one', 'two']) {
        writeFileSync(join(folder, 'pushed.html'), `<title>${text}</title>`)
        git(folder, 'add', '-A')
        git(folder, 'commit', '-q', '-m', text)
      }
      git(folder, 'push', '-q')
    })
    await parts.untilSeen()
    const { data: list } = await listPages(parts.call(), { path: '/pushed' })
    const pushed = list[0]?.id ?? ''
    const context = () => parts.context({ idempotencyKey: 'k', route: 'POST /pages/{id}/rollback' })
    const back = () => rollbackPage({ ...parts.services, ...context() }, { id: pushed, version: 1 })
    const { data: first } = await back()
    await replacePage(parts.call(), { id: pushed, html: 'later' })
    const { data: again } = await back()
    assert.deepEqual(again, first)
    assert.equal(again.title, 'one')
  })
})
