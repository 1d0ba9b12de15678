import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { newObject, type NewObject } from '../../../src/git/objects/object.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { encodePack, installPack, installPackFiles } from '../../../src/git/storage/pack-writer.js'
import { moveRef, readRef } from '../../../src/git/repository/ref.js'
import { openRepository } from '../../../src/git/repository/repository.js'
import { SITE_HOOKS } from '../../../src/repository/hooks/site-hooks.js'
import { patchTree } from '../../../src/git/objects/tree.js'
import { assertSound, git } from '../../support/git.js'
import { gitWithInput, LOG, MAIN, storeCommit, withBareGit, withFolder, withSite } from '../scratch-repository.js'

const blob = (content: string | Buffer) => newObject('blob', Buffer.from(content as string))
const temporaryFiles = (gitdir: string) =>
  readdirSync(join(gitdir, 'palimpsest')).filter((name) => !name.startsWith('mark-'))
const packFolder = (gitdir: string) => join(gitdir, 'objects', 'pack')

/** Versions of a folder, each one entry different from the one before, as the store builds them in a batch. */
function versionsOfFolder(entries: number, versions: number): NewObject[] {
  const page = blob('page')
  const names = Array.from({ length: entries }, (_, i) => `page-${i.toString().padStart(5, '0')}.html`)
  let tree = newObject(
    'tree',
    patchTree(
      Buffer.alloc(0),
      names.map((name) => ({ name, mode: 0o100644, oid: page.oid })),
    ),
  )
  const objects: NewObject[] = [page, tree]
  for (let i = 0; i < versions; i++) {
    const next = blob(`version ${i}`)
    const edits = [
      { name: names[(i * 37) % entries] ?? '', mode: 0o100644, oid: next.oid },
      i % 3 === 0
        ? { name: `new-${i}.html`, mode: 0o100644, oid: next.oid }
        : { name: `new-${i - 1}.html`, remove: true as const },
    ]
    tree = newObject('tree', patchTree(tree.content, edits), tree.oid)
    objects.push(next, tree)
  }
  return objects
}

describe('a pack', () => {
  it('has the index that git index-pack makes, for any content', () => {
    withFolder((folder) => {
      let round = 0
      fc.assert(
        fc.property(fc.array(fc.uint8Array({ maxLength: 5000 }), { maxLength: 12 }), (contents) => {
          const encoded = encodePack(contents.map((bytes) => blob(Buffer.from(bytes))))
          const path = join(folder, `pack-${round++}.pack`)
          writeFileSync(path, encoded.pack)
          const id = gitWithInput(
            folder,
            '',
            'index-pack',
            '--strict',
            '--object-format=sha1',
            '--index-version=2',
            path,
          )
          assert.equal(id.toString('latin1').trim().split('\t').at(-1), encoded.id)
          assert.deepEqual(encoded.index, readFileSync(path.replace('.pack', '.idx')))
        }),
        { numRuns: 25 },
      )
    })
  })

  it('holds an object once, even if it was built several times', () => {
    withBareGit((gitdir) => {
      const page = blob('page')
      installPack(gitdir, encodePack([page, blob('other'), { ...page }])).release()
      assert.equal(git(gitdir, 'count-objects', '-v').match(/in-pack: (\d+)/)?.[1], '2')
    })
  })

  it('is read by git with sizes at every length of the header', () => {
    withBareGit((gitdir) => {
      const sizes = [0, 1, 15, 16, 2047, 2048, 262_143, 262_144, 3_000_000]
      const objects = sizes.map((size) => blob(Buffer.alloc(size, 'x')))
      installPack(gitdir, encodePack(objects)).release()
      const lines = objects.map(({ oid }) => oid).join('\n')
      const seen = gitWithInput(
        gitdir,
        `${lines}\n`,
        'cat-file',
        '--batch-check=%(objecttype) %(objectsize)',
      ).toString()
      assert.deepEqual(
        seen.trim().split('\n'),
        sizes.map((size) => `blob ${size}`),
      )
    })
  })

  it('is small when it holds many versions of a big folder, and is read by git and by us', () => {
    withBareGit((gitdir) => {
      const objects = versionsOfFolder(3000, 60)
      const encoded = encodePack(objects)
      const bytes = objects.reduce((sum, { content }) => sum + content.length, 0)
      assert.ok(encoded.pack.length < bytes / 10, `${encoded.pack.length} of ${bytes} bytes`)
      installPack(gitdir, encoded).release()
      const [path = ''] = readdirSync(packFolder(gitdir)).filter((name) => name.endsWith('.idx'))
      git(gitdir, 'verify-pack', join(packFolder(gitdir), path))
      const odb = new ObjectDatabase(gitdir, { cacheBytes: 1 })
      for (const { oid, type, content } of objects) {
        assert.deepEqual(odb.read(oid), { type, content })
        assert.deepEqual(odb.readHeader(oid), { type, size: content.length })
      }
      odb.close()
    })
  })
})

describe('an installed pack', () => {
  const files = (gitdir: string) =>
    readdirSync(packFolder(gitdir)).map((name) => name.replace(/^pack-[0-9a-f]{40}/, 'pack'))

  it("outlives an operator's gc --prune=now and repack -ad while nothing points to it", () => {
    withSite({ 'index.html': 'hello' }, (gitdir, first) => {
      const { oid, pack } = storeCommit(gitdir, { 'index.html': 'next' }, [first])
      git(gitdir, 'repack', '-adq')
      git(gitdir, 'prune', '--expire=now')
      git(gitdir, 'gc', '--quiet', '--prune=now')
      moveRef(gitdir, MAIN, first, oid, LOG)
      pack.release()
      assert.equal(git(gitdir, 'show', 'main:index.html'), 'next')
      git(gitdir, 'gc', '--quiet', '--prune=now')
      assert.deepEqual(files(gitdir).filter((name) => name === 'pack.pack').length, 1)
      assertSound(gitdir)
    })
  })

  it('leaves nothing if its batch lost the race', () => {
    withBareGit((gitdir) => {
      const pack = installPack(gitdir, encodePack([blob('page')]))
      assert.deepEqual(files(gitdir).toSorted(), ['pack.idx', 'pack.keep', 'pack.pack'])
      pack.discard()
      assert.deepEqual(files(gitdir), [])
      pack.discard()
      pack.release()
    })
  })

  it('is repaired if it existed already, and stays when the second copy is discarded', () => {
    withBareGit((gitdir) => {
      const page = blob('page')
      const encoded = encodePack([page])
      installPack(gitdir, encoded).release()
      const path = join(packFolder(gitdir), `pack-${encoded.id}`)
      writeFileSync(`${path}.pack`, 'broken')
      writeFileSync(`${path}.keep`, 'kept by an operator\n')
      installPack(gitdir, encoded).discard()
      assert.deepEqual(new ObjectDatabase(gitdir).readBlob(page.oid), page.content)
      assert.equal(readFileSync(`${path}.keep`, 'utf8'), 'kept by an operator\n')
    })
  })

  it('leaves no temporary file if the same files were installed before', () => {
    withBareGit((gitdir) => {
      const { id, pack, index } = encodePack([blob('page')])
      const path = join(gitdir, 'made')
      writeFileSync(`${path}.pack`, pack)
      writeFileSync(`${path}.idx`, index)
      for (let time = 1; time <= 2; time++) installPackFiles(gitdir, { id, path }).release()
      assert.deepEqual(files(gitdir).toSorted(), ['pack.idx', 'pack.pack'])
      assert.deepEqual(temporaryFiles(gitdir), [])
    })
  })

  it('leaves only what existed before, if it fails half-way', () => {
    withBareGit((gitdir) => {
      const page = blob('page')
      const encoded = encodePack([page])
      // A folder where the pack's file should be renamed to.
      mkdirSync(join(packFolder(gitdir), `pack-${encoded.id}.pack`, 'x'), { recursive: true })
      assert.throws(() => installPack(gitdir, encoded))
      assert.deepEqual(files(gitdir), ['pack.pack'])
      assert.ok(statSync(join(packFolder(gitdir), `pack-${encoded.id}.pack`)).isDirectory())
      assert.deepEqual(temporaryFiles(gitdir), [])
    })
  })

  it("does not take away an operator's own .keep files when the repository is opened", () => {
    withSite({ 'index.html': 'hello' }, (gitdir) => {
      const [name = ''] = readdirSync(packFolder(gitdir)).filter((file) => file.endsWith('.idx'))
      const keep = join(packFolder(gitdir), name.replace('.idx', '.keep'))
      writeFileSync(keep, '')
      openRepository(gitdir, SITE_HOOKS)
      assert.ok(existsSync(keep))
    })
  })

  it('is not made if the repository is gone', () => {
    withBareGit((gitdir) => {
      rmSync(gitdir, { recursive: true })
      assert.throws(() => installPack(gitdir, encodePack([blob('page')])))
      assert.ok(!existsSync(gitdir))
      assert.equal(readRef(gitdir, MAIN), undefined)
    })
  })
})
