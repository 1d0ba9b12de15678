import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPage, getPage } from '../../../src/usecases/pages/pages.js'
import { listTemplates } from '../../../src/usecases/templates/templates.js'
import { git, withClone } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

describe('templates', () => {
  let shared: ServiceParts
  let parts: ServiceParts
  before(async () => {
    shared = await openServiceParts()
  })
  beforeEach(async () => {
    parts = await shared.inNewWorkspace()
  })
  after(() => shared.stop())

  async function push(files: Record<string, string>): Promise<void> {
    await withClone(parts.gitdir(), (folder) => {
      mkdirSync(join(folder, '.templates'))
      for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, '.templates', name), text)
      git(folder, 'add', '.')
      git(folder, 'commit', '-q', '-m', 'Templates')
      git(folder, 'push', '-q')
    })
    await parts.untilSeen()
  }

  it("are listed up to 1,000 of the site's own; the others can still be used", async () => {
    const names = Array.from({ length: 1_100 }, (_, number) => `t${String(number).padStart(4, '0')}`)
    await push(Object.fromEntries(names.map((name) => [`${name}.html`, '{{ title }}'])))
    const ids = listTemplates(parts.call(), { limit: 2_000 }).data.map(({ id }) => id)
    assert.deepEqual(ids, ['article', 'blank', 'landing', ...names.slice(0, 1_000)])
    const input = { path: '/a', title: 'Last', templateId: 't1099' }
    const { data } = await createPage(parts.call(), input)
    assert.equal((await getPage(parts.call(), { id: data.id })).data.html, 'Last')
    const unknown = createPage(parts.call(), { path: '/b', templateId: 'none' })
    await assert.rejects(unknown, refusal('unknown_template'))
  })

  it("are the three built-in ones and the site's own", async () => {
    const list = () => listTemplates(parts.call(), {}).data
    assert.deepEqual(
      list().map(({ id, source }) => `${id} ${source}`),
      ['article built-in', 'blank built-in', 'landing built-in'],
    )
    await push({ 'blank.html': 'Ours: {{ content }}', 'news.html': '{{ title }}', 'no template.html': '', 'x.txt': '' })
    assert.deepEqual(
      list().map(({ id, source }) => `${id} ${source}`),
      ['article built-in', 'blank site', 'landing built-in', 'news site'],
    )
    const { data } = await createPage(parts.call(), {
      path: '/a',
      html: '<i>x</i>',
      templateId: 'blank',
    })
    assert.equal((await getPage(parts.call(), { id: data.id })).data.html, 'Ours: <i>x</i>')
  })

  it('refuse a page that cannot be rendered, and write nothing', async () => {
    await push({ 'bad.html': '{% for %}', 'empty.html': '' })
    const head = git(parts.gitdir(), 'rev-parse', 'main')
    const create = (templateId: string) => createPage(parts.call(), { path: '/a', templateId })
    await assert.rejects(create('bad'), refusal('template_failed'))
    await assert.rejects(create('empty'), refusal('template_failed'))
    assert.equal(git(parts.gitdir(), 'rev-parse', 'main'), head)
  })

  it('are listed part by part', () => {
    const first = listTemplates(parts.call(), { limit: 2 })
    const cursor = first.nextCursor ?? ''
    const second = listTemplates(parts.call(), { limit: 2, cursor })
    assert.deepEqual(
      [...first.data, ...second.data].map(({ id }) => id),
      ['article', 'blank', 'landing'],
    )
    assert.equal(second.nextCursor, null)
    assert.throws(() => listTemplates(parts.call(), { cursor: `${cursor}x` }), refusal('invalid_cursor'))
  })
})
