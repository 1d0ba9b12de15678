import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createPage } from '../../../src/usecases/pages/pages.js'
import { getCommit, listCommits } from '../../../src/usecases/sites/site-history.js'
import { listTags } from '../../../src/usecases/sites/tags.js'
import { git } from '../../support/git.js'
import { openServiceParts, refusal, type ServiceParts } from '../service-parts.js'

const SIGNED = `tagger Sam Signer <sam@example.org> 1790000000 +0100

The second
-----BEGIN SSH SIGNATURE-----
U1NIU0lH
-----END SSH SIGNATURE-----
`

describe('the tags of a site', () => {
  let parts: ServiceParts
  let head: string
  const list = async (more: object = {}) => await listTags(parts.call(), { id: parts.site.id, ...more })

  before(async () => {
    parts = await openServiceParts()
    const { data } = await createPage(parts.call(), { path: '/a', html: 'a' })
    head = data.version.id
    const gitdir = parts.gitdir()
    const input = `object ${head}\ntype commit\ntag v2\n${SIGNED}`
    const signed = execFileSync('git', ['-C', gitdir, 'mktag'], { input, encoding: 'utf8' }).trim()
    git(gitdir, 'update-ref', 'refs/tags/v2', signed)
    git(gitdir, 'tag', '-a', '-m', 'The first\n\nof them', 'old/v1', `${head}^`)
    git(gitdir, 'tag', 'light', head)
    git(gitdir, 'tag', 'page', `${head}:a.html`)
  })
  after(() => parts.stop())

  it('are listed by name, each with its commit, and annotated ones with author, message and time', async () => {
    const { data, nextCursor } = await list()
    assert.equal(nextCursor, null)
    const parent = git(parts.gitdir(), 'rev-parse', `${head}^`)
    const blank = { author: null, message: null, createdAt: null, verified: 'none' }
    const oidOf = (name: string) => git(parts.gitdir(), 'rev-parse', `refs/tags/${name}`)
    const [light, old, page, signed] = data
    assert.deepEqual(light, { name: 'light', oid: head, commit: head, ...blank })
    assert.deepEqual(
      [old?.name, old?.oid, old?.commit, old?.author, old?.message, old?.verified],
      ['old/v1', oidOf('old/v1'), parent, 'Olga Operator', 'The first\n\nof them', 'none'],
    )
    assert.deepEqual(page, { name: 'page', oid: oidOf('page'), commit: null, ...blank })
    const by = { author: 'Sam Signer', message: 'The second', createdAt: '2026-09-21T14:13:20Z', verified: 'other' }
    assert.deepEqual(signed, { name: 'v2', oid: oidOf('v2'), commit: head, ...by })
  })

  it('continue at their cursor', async () => {
    const names: string[] = []
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { data, nextCursor = null } = await list({ limit: 3, ...(cursor !== undefined && { cursor }) })
      names.push(...data.map(({ name }) => name))
      cursor = nextCursor
    }
    assert.deepEqual(names, ['light', 'old/v1', 'page', 'v2'])
  })

  it('are shown with the commits that they name, as they are now', async () => {
    const { data } = await listCommits(parts.call(), { id: parts.site.id })
    assert.deepEqual(
      data.map(({ tags }) => tags),
      [['light', 'v2'], ['old/v1']],
    )
    git(parts.gitdir(), 'tag', '-d', 'light')
    const commit = await getCommit(parts.call(), { id: parts.site.id, oid: head })
    assert.deepEqual(commit.data.tags, ['v2'])
  })

  it('are shown only to keys that see the site', async () => {
    const other = await parts.inNewWorkspace()
    const asked = listTags({ ...parts.services, ...other.context() }, { id: parts.site.id })
    await assert.rejects(asked, refusal('site_not_found'))
  })
})
