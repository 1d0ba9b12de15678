import assert from 'node:assert/strict'
import { createPage, getPage, listPages, replacePage } from '../../src/usecases/pages/pages.js'
import { diffVersions, listVersions } from '../../src/usecases/pages/versions.js'
import { openServiceParts, type ServiceParts } from '../usecases/service-parts.js'
import { runHere } from '../programs/shell.js'

const COMMITS = 400

describe('the index during a long push', () => {
  let parts: ServiceParts
  let id: string

  beforeEach(async () => {
    parts = await openServiceParts()
    const { data } = await createPage(parts.call(), { path: '/a', html: 'first' })
    id = data.id
    await createPage(parts.call(), { path: '/b', html: '<title>B</title>' })
    const commits = Array.from(
      { length: COMMITS },
      (_, number) =>
        `commit refs/heads/main\ncommitter O <o@example.org> ${1_800_000_000 + number} +0000\ndata 1\nx\n` +
        `${number === 0 ? 'from refs/heads/main^0\n' : ''}M 100644 inline a.html\ndata ${String(number).length}\n${number}\n`,
    )
    runHere({ command: ['git', '-C', parts.gitdir(), 'fast-import', '--quiet'], input: commits.join('') })
    await parts.untilSeen()
  })
  afterEach(() => parts.stop())

  it('answers the page with its version number, and accepts a write', async () => {
    const { services } = parts
    const { data: page } = await getPage({ ...services, ...parts.context() }, { id })
    assert.equal(page.html, String(COMMITS - 1))
    assert.equal(page.version.number, COMMITS + 1)
    const ifMatch = [page.etag.replaceAll('"', '')]
    const { data: replaced } = await replacePage({ ...services, ...parts.context() }, { id, html: 'after', ifMatch })
    assert.equal(replaced.version.number, COMMITS + 2)
    const { data: versions } = await listVersions({ ...services, ...parts.context() }, { id })
    assert.equal(versions[0]?.id, replaced.version.id)
  })

  it('compares the newest version with the one before it', async () => {
    const { data } = await diffVersions(parts.call(), { id })
    assert.equal(data.to.number, COMMITS + 1)
  })

  it('answers the same entity tags and times while it is rebuilt as it did before', async () => {
    const list = async () => (await listPages(parts.call(), {})).data
    const before = await list()
    parts.index.forget()
    assert.deepEqual(await list(), before)
  })
})
