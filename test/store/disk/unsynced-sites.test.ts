import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskRepositories } from '../../../src/store/disk/disk-repositories.js'
import { removeUnsynced, settleUnsynced, UnsyncedSites } from '../../../src/store/disk/unsynced-sites.js'
import { git } from '../../support/git.js'
import { nextCommit } from '../protocol/repository-contract.js'

const TIME = 1_790_000_000
const [WRITTEN, READ] = [
  { id: 'e7b3f0a4-5c1d-4e2f-8a9b-0c1d2e3f4a5b', slug: 'written' },
  { id: '0f1e2d3c-4b5a-4678-9abc-def012345678', slug: 'read' },
]

describe('repositories that are not synced', () => {
  let dataDir: string
  let repositories: DiskRepositories

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-unsynced-'))
    repositories = new DiskRepositories(dataDir, { unsynced: new UnsyncedSites(dataDir, 'one-boot') })
    for (const site of [WRITTEN, READ]) repositories.create(site, TIME)
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  const gitdir = ({ slug }: { slug: string }) => join(dataDir, `${slug}.git`)
  const write = () => {
    const writer = repositories.openForWriting(WRITTEN)
    const next = nextCommit(writer.headToBuildOn(), 'text')
    assert.equal(writer.commit(next), 'done')
    writer.close()
    return next.next
  }

  it('are taken away after another boot where something was written, and only there', () => {
    write()
    assert.deepEqual(removeUnsynced(dataDir, 'one-boot'), [])
    assert.equal(existsSync(gitdir(WRITTEN)), true)
    assert.deepEqual(removeUnsynced(dataDir, 'another-boot'), ['written'])
    assert.equal(existsSync(gitdir(WRITTEN)), false)
    assert.equal(git(gitdir(READ), 'fsck', '--full', '--strict'), '')
    assert.deepEqual(removeUnsynced(dataDir, 'another-boot'), [])
  })

  it('are taken away also where the process was started again meanwhile', () => {
    write()
    repositories = new DiskRepositories(dataDir, { unsynced: new UnsyncedSites(dataDir, 'one-boot') })
    write()
    assert.deepEqual(removeUnsynced(dataDir, undefined), ['written'])
  })

  it('stay after another boot once all was synced', () => {
    const head = write()
    settleUnsynced(dataDir)
    assert.deepEqual(removeUnsynced(dataDir, 'another-boot'), [])
    assert.equal(git(gitdir(WRITTEN), 'rev-parse', 'main').trim(), head)
  })

  it('are set aside where they have commits that the log lacks', () => {
    const lost = write()
    repositories.keepLost(WRITTEN, lost)
    assert.deepEqual(removeUnsynced(dataDir, 'another-boot'), ['written'])
    const [aside = ''] = readdirSync(join(dataDir, '.unsynced'))
    assert.equal(git(join(dataDir, '.unsynced', aside), 'rev-parse', `refs/palimpsest/lost/${lost}`).trim(), lost)
    assert.equal(existsSync(gitdir(WRITTEN)), false)
  })

  it('are not written where they cannot be noted', async () => {
    mkdirSync(join(dataDir, 'unsynced-sites'))
    const writer = repositories.openForWriting(WRITTEN)
    const before = writer.headToBuildOn()
    assert.throws(() => writer.commit(nextCommit(before, 'text')), { code: 'EISDIR' })
    assert.equal(writer.head(), before)
    assert.equal(readdirSync(join(gitdir(WRITTEN), 'objects/pack')).length, 2)
    writer.close()
  })

  it('are noted by whole lines: the rest of one that a power cut ended says nothing', () => {
    write()
    const notes = join(dataDir, 'unsynced-sites')
    truncateSync(notes, readFileSync(notes, 'latin1').indexOf('written') + 'writ'.length)
    assert.deepEqual(removeUnsynced(dataDir, 'another-boot'), [])
    repositories = new DiskRepositories(dataDir, { unsynced: new UnsyncedSites(dataDir, 'another-boot') })
    write()
    assert.deepEqual(removeUnsynced(dataDir, 'a-third-boot'), ['written'])
  })
})
