import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../../../src/catalog/site.js'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import { findPageAt } from '../../../src/usecases/pages/find-page.js'
import { publish } from '../../../src/usecases/pages/publish.js'
import { runHere } from '../../programs/shell.js'
import { git } from '../../support/git.js'
import { beginRequest } from './begin-request.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'

describe('the branch of a change request', () => {
  let parts: ServiceParts

  before(async () => (parts = await openServiceParts()))
  after(() => parts.stop())

  const begin = (site: Site) => beginRequest(parts.services, site)
  const put = async (site: Site, path: string, html: string, of = parts) =>
    await publish({ ...of.call(), site }, { path, html }, { replace: true })
  const at = async (site: Site, path: string) => await findPageAt({ ...parts.services, site }, parsePagePath(path))
  const drafts = () => join(parts.dataDir, 'drafts', 'demo.git')

  it('holds what is written to it, which main and its index do not know', async () => {
    await put(parts.site, '/about', 'live')
    const main = git(parts.gitdir(), 'rev-parse', 'main')
    const request = await begin(parts.site)
    const written = await put(request, '/about', 'draft')
    await put(request, '/new', 'only here')
    assert.equal(git(parts.gitdir(), 'rev-parse', 'main'), main)
    assert.equal(git(drafts(), 'rev-parse', `${request.request}~2`), main)
    assert.equal(git(drafts(), 'show', `${request.request}:about.html`), 'draft')
    assert.equal((await at(parts.site, '/new'))?.row.id, undefined)
    assert.equal((await at(request, '/about'))?.row.id, written.data.id)
    assert.equal((await at(request, '/about'))?.row.version.number, 2)
    assert.equal((await at(parts.site, '/about'))?.row.version.number, 1)
  })

  it('stays whole when git removes from the site what main does not reach', async () => {
    await put(parts.site, '/base', 'base')
    const request = await begin(parts.site)
    // An object that the site's repository has, and that no branch of it reaches.
    runHere({ command: ['git', '-C', parts.gitdir(), 'hash-object', '-w', '--stdin'], input: 'kept' })
    await put(request, '/kept', 'kept')
    await put(parts.site, '/other', 'other')
    git(parts.gitdir(), 'gc', '--quiet', '--prune=now')
    git(drafts(), 'fsck', '--full', '--strict')
    assert.equal(git(drafts(), 'show', `${request.request}:kept.html`), 'kept')
    assert.equal(git(drafts(), 'show', `${request.request}:base.html`), 'base')
    await put(request, '/again', 'again')
    assert.equal((await at(request, '/again'))?.row.version.number, 1)
  })

  it('has rows again after they are lost', async () => {
    const request = await begin(parts.site)
    await put(request, '/rows', 'rows')
    await put(parts.site, '/moved-on', 'main moves on')
    await parts.services.indexFollower.forget(request)
    assert.equal((await at(request, '/rows'))?.row.version.number, 1)
    assert.equal(await at(request, '/moved-on'), undefined)
  })

  it('goes with its site', async () => {
    const other = await parts.inNewWorkspace()
    const request = await begin(other.site)
    await put(request, '/x', 'x', other)
    await parts.services.store.retireSite(other.site)
    await parts.services.indexFollower.forget(other.site)
    assert.equal(existsSync(join(parts.dataDir, 'drafts', `${other.site.slug}.git`)), false)
    assert.equal(existsSync(join(parts.dataDir, '.retired', `${other.site.slug}-${other.site.id}.drafts.git`)), true)
  })
})
