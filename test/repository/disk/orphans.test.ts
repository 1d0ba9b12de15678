// Leftovers of a power cut in a repack: files of packs whose objects git has put into another pack, and then removed.

import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { FormCheck } from '../../../src/repository/disk/checks/form-check.js'
import { gitFsck } from '../../../src/repository/disk/checks/git-fsck.js'
import { inspectRepository } from '../../../src/repository/disk/checks/inspect-repository.js'
import { isMaintenanceDue, maintainRepository } from '../../../src/repository/disk/maintain.js'
import { MAIN, storeCommit, withSite } from '../../git/scratch-repository.js'
import { assertSound, complaintsOf, git } from '../../support/git.js'

const SITE_ID = '018f3c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f'
const DERIVED = ['rev', 'bitmap', 'mtimes']

const packFolder = (gitdir: string) => join(gitdir, 'objects', 'pack')
const inspect = (gitdir: string) => inspectRepository(gitdir, SITE_ID, new FormCheck())

/** The files in the folder of packs with this ending, or whose name begins so. */
function filesOf(gitdir: string, part: string): string[] {
  return readdirSync(packFolder(gitdir)).filter((name) => name.endsWith(part) || name.startsWith(part))
}

/** A site with a pack for each of three commits. */
async function withPacks(work: (gitdir: string, head: string) => Promise<void>): Promise<void> {
  await withSite({ 'index.html': 'first' }, async (gitdir, first) => {
    let head = first
    for (const text of ['second', 'third']) {
      const { oid, pack } = storeCommit(gitdir, { 'index.html': text }, [head])
      pack.release()
      git(gitdir, 'update-ref', MAIN, oid)
      head = oid
    }
    await work(gitdir, head)
  })
}

/** Has git join all packs, and puts back what it removed of files of this kind. */
function repackButKeep(gitdir: string, part: string): string[] {
  const kept = mkdtempSync(join(gitdir, '..', 'kept-'))
  for (const name of filesOf(gitdir, part)) copyFileSync(join(packFolder(gitdir), name), join(kept, name))
  git(gitdir, 'repack', '-adq')
  const names = readdirSync(kept).filter((name) => !existsSync(join(packFolder(gitdir), name)))
  for (const name of names) copyFileSync(join(kept, name), join(packFolder(gitdir), name))
  return names
}

describe('indexes whose packs git has joined into another one', () => {
  it('are no damage, and maintenance removes them with all that belongs to them', async () => {
    await withPacks(async (gitdir) => {
      const orphans = repackButKeep(gitdir, '.idx')
      assert.equal(orphans.length, 3)
      for (const name of [...orphans, `pack-${'0'.repeat(40)}.idx`])
        for (const ending of DERIVED) writeFileSync(join(packFolder(gitdir), name.replace(/idx$/, ending)), '')
      assert.equal(complaintsOf(gitdir), '')
      assert.deepEqual(await inspect(gitdir), [])
      assert.equal(await gitFsck(gitdir), '')

      const [pack = ''] = filesOf(gitdir, '.pack')
      await maintainRepository(gitdir)
      assert.deepEqual(filesOf(gitdir, '.pack'), [pack])
      assert.deepEqual(filesOf(gitdir, '.idx'), [pack.replace(/pack$/, 'idx')])
      const endings = new Set(readdirSync(packFolder(gitdir)).map((name) => name.replace(/^.*\./, '')))
      for (const ending of ['rev', 'mtimes']) assert.equal(endings.has(ending), false, ending)
      assertSound(gitdir)
      assert.deepEqual(await inspect(gitdir), [])
    })
  })

  it('are damage as long as one of their objects is nowhere else, and stay', async () => {
    await withPacks(async (gitdir, head) => {
      const before = filesOf(gitdir, '.pack')
      const { oid, pack } = storeCommit(gitdir, { 'index.html': 'lost' }, [head])
      pack.release()
      const [lost = ''] = filesOf(gitdir, '.pack').filter((name) => !before.includes(name))
      const bytes = join(gitdir, 'lost-pack')
      copyFileSync(join(packFolder(gitdir), lost), bytes)
      rmSync(join(packFolder(gitdir), lost))
      const odb = new ObjectDatabase(gitdir)
      assert.deepEqual([odb.isStored(oid), odb.isStored(head)], [false, true])
      odb.close()
      const subject = lost.replace(/\.pack$/, '')
      for (let times = 0; times < 2; times++) {
        const [found] = await inspect(gitdir)
        assert.deepEqual([found?.kind, found?.subject], ['object', subject])
        assert.match(found?.what ?? '', /its pack file is gone/)
        await maintainRepository(gitdir)
        assert.ok(existsSync(join(packFolder(gitdir), `${subject}.idx`)))
      }
      copyFileSync(bytes, join(packFolder(gitdir), lost))
      assert.equal(git(gitdir, 'show', `${oid}:index.html`), 'lost')
      assert.deepEqual(await inspect(gitdir), [])
    })
  })

  it('are damage if they cannot be read, since their objects are unknown', async () => {
    await withPacks(async (gitdir) => {
      const name = `pack-${'1'.repeat(40)}`
      writeFileSync(join(packFolder(gitdir), `${name}.idx`), 'damaged')
      await maintainRepository(gitdir)
      const found = await inspect(gitdir)
      assert.deepEqual(
        found.map(({ subject }) => subject),
        [name],
      )
    })
  })
})

describe('an index over several packs', () => {
  it('is removed by maintenance if it names a pack that is gone', async () => {
    await withPacks(async (gitdir) => {
      git(gitdir, 'multi-pack-index', 'write')
      assert.deepEqual(repackButKeep(gitdir, 'multi-pack-index'), ['multi-pack-index'])
      assert.match(complaintsOf(gitdir), /failed to load pack/)
      await maintainRepository(gitdir)
      assert.deepEqual(filesOf(gitdir, 'multi-pack-index'), [])
      assertSound(gitdir)
    })
  })

  it('stays if its packs exist', async () => {
    await withPacks(async (gitdir) => {
      git(gitdir, 'repack', '-adq')
      git(gitdir, 'multi-pack-index', 'write')
      await maintainRepository(gitdir)
      assert.deepEqual(filesOf(gitdir, 'multi-pack-index'), ['multi-pack-index'])
      assertSound(gitdir)
    })
  })
})

describe('what killed pushes by path left', () => {
  it('is removed by maintenance once no git can still write to it', async () => {
    await withPacks(async (gitdir) => {
      const objects = join(gitdir, 'objects')
      const [left, incoming] = [join(objects, 'aa'), join(objects, 'tmp_objdir-incoming-left')]
      for (const folder of [left, incoming]) mkdirSync(folder, { recursive: true })
      const files = [join(left, 'tmp_obj_left'), join(incoming, 'pack-1.pack'), join(left, 'tmp_obj_new')]
      for (const file of files) writeFileSync(file, '')
      const longAgo = Date.now() / 1000 - 13 * 3600
      for (const path of [join(left, 'tmp_obj_left'), incoming]) utimesSync(path, longAgo, longAgo)
      assert.equal(isMaintenanceDue(gitdir), true)
      await maintainRepository(gitdir)
      assert.deepEqual(readdirSync(left), ['tmp_obj_new'])
      assert.equal(existsSync(incoming), false)
      assert.equal(isMaintenanceDue(gitdir), false)
      assertSound(gitdir)
    })
  })
})

describe('the reflog of main', () => {
  it('loses the lines of more than 90 days ago in maintenance', async () => {
    await withPacks(async (gitdir, head) => {
      const log = join(gitdir, 'logs', 'refs', 'heads', 'main')
      const lineAt = (days: number, message: string) =>
        `${head} ${head} Ada <ada@example.org> ${Math.floor(Date.now() / 1000) - days * 86_400} +0000\t${message}\n`
      mkdirSync(join(gitdir, 'logs', 'refs', 'heads'), { recursive: true })
      writeFileSync(log, lineAt(91, 'old') + lineAt(89, 'new'))
      await maintainRepository(gitdir)
      assert.match(readFileSync(log, 'utf8'), /^[^\n]*\tnew\n$/)
      assert.equal(git(gitdir, 'rev-parse', 'main'), head)
    })
  })
})
