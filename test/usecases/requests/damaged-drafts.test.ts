import assert from 'node:assert/strict'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitFsckOfBorrower } from '../../../src/repository/disk/checks/git-fsck.js'
import { FormCheck } from '../../../src/repository/disk/checks/form-check.js'
import { inspectDrafts } from '../../../src/repository/disk/checks/inspect-repository.js'
import { runHere } from '../../programs/shell.js'
import { beginRequest, draftsIn, putIn } from './begin-request.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'

describe('the repository of change requests', () => {
  let parts: ServiceParts
  let drafts: string
  let request: string

  before(async () => (parts = await openServiceParts()))
  beforeEach(async () => {
    const here = await parts.inNewWorkspace()
    const { site } = here
    const begun = await beginRequest(parts.services, site)
    await putIn(here.call(), begun, '/x', 'x')
    await putIn(here.call(), site, '/live', 'live')
    drafts = draftsIn(parts.services, site)
    request = begun.request
    gitdir = parts.gitdir(site)
  })
  after(() => parts.stop())
  let gitdir: string

  const found = async () =>
    (await inspectDrafts(drafts, gitdir, new FormCheck())).map(({ kind, subject }) => [kind, subject])
  const packFile = () => {
    const folder = join(drafts, 'objects', 'pack')
    return join(folder, readdirSync(folder).find((name) => name.endsWith('.pack')) ?? '')
  }

  it('is sound for the service and for git', async () => {
    assert.deepEqual(await found(), [])
    assert.equal(await gitFsckOfBorrower(drafts, gitdir), '')
  })

  it('is reported if it no longer borrows from the site', async () => {
    rmSync(join(drafts, 'objects', 'info', 'alternates'))
    assert.deepEqual(await found(), [['repository', 'drafts form']])
    assert.match(await gitFsckOfBorrower(drafts, drafts), /missing|broken/)
  })

  it('is reported if a setting was changed, and the service puts it back', async () => {
    runHere({ command: ['git', '-C', drafts, 'config', 'extensions.preciousObjects', 'false'] })
    assert.deepEqual(await found(), [['repository', 'drafts settings']])
    await parts.services.store.writers.openRepository({
      ...parts.site,
      slug: drafts.replace(/^.*\/|\.git$/g, ''),
      request: '',
    })
    assert.deepEqual(await found(), [])
  })

  it('is reported if a pack or a branch is damaged', async () => {
    const pack = packFile()
    renameSync(pack, `${pack}.aside`)
    const branch = join(drafts, 'refs', 'heads', request)
    assert.deepEqual(
      (await found()).map(([kind]) => kind),
      ['object', 'object'],
    )
    renameSync(`${pack}.aside`, pack)
    const text = readFileSync(branch)
    writeFileSync(branch, 'nonsense\n')
    assert.deepEqual(await found(), [['repository', `drafts refs/heads/${request}`]])
    writeFileSync(branch, text)
    assert.deepEqual(await found(), [])
  })

  it('loses nothing if an operator runs git gc, gc --prune=now and repack there', async () => {
    const names = readdirSync(join(drafts, 'objects', 'pack')).filter((name) => name.endsWith('.pack'))
    runHere({ command: ['git', '-C', drafts, 'gc', '--quiet', '--prune=now'] })
    assert.deepEqual(
      readdirSync(join(drafts, 'objects', 'pack')).filter((name) => name.endsWith('.pack')),
      names,
    )
    assert.throws(() => runHere({ command: ['git', '-C', drafts, 'repack', '-adq'] }), /precious/)
    assert.equal(await gitFsckOfBorrower(drafts, gitdir), '')
  })
})
