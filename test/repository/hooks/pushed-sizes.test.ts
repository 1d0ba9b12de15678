import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import fs, { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { writeTree } from 'isomorphic-git'
import { moveRef, readRef } from '../../../src/git/repository/ref.js'
import { importFrom } from '../../../src/repository/disk/import-repository.js'
import { writePushLimits } from '../../../src/repository/hooks/push-limits.js'
import { git, withClone } from '../../support/git.js'
import { gitOid, gitRefusal, LOG, MAIN, storeCommit, withFolder, withSite } from '../../git/scratch-repository.js'

const SITE = { 'index.html': 'hello' }
const MEBIBYTE = 1024 * 1024
const LARGE_PAGE = Buffer.alloc(10 * MEBIBYTE + 1, 'x')

function commitFiles(clone: string, files: Record<string, string | Buffer>, message = 'Large'): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(clone, name)), { recursive: true })
    writeFileSync(join(clone, name), content)
  }
  git(clone, 'add', '--all')
  writeFileSync(join(clone, '.git', 'message'), message)
  git(clone, 'commit', '--quiet', '-F', join(clone, '.git', 'message'))
  return git(clone, 'rev-parse', 'HEAD')
}

describe('a push', () => {
  const tooLarge: [string, Record<string, string | Buffer>, RegExp][] = [
    ['a page', { 'docs/a.html': Buffer.alloc(64 * MEBIBYTE + 1) }, /docs\/a\.html has 67108865 bytes/],
    ['a file', { 'a.bin': Buffer.alloc(64 * MEBIBYTE + 1) }, /a\.bin has 67108865 bytes/],
    ['a sidecar', { '.pages/aa/x.json': Buffer.alloc(65_537, ' ') }, /\.pages\/aa\/x\.json has 65537 bytes/],
    ['a collection', { 'collections/x.json': Buffer.alloc(262_145, ' ') }, /collections\/x\.json has 262145 bytes/],
    [
      'a record',
      { 'collections/x/y.json': Buffer.alloc(MEBIBYTE + 1, ' ') },
      /collections\/x\/y\.json has 1048577 bytes/,
    ],
  ]
  for (const [what, files, reason] of tooLarge) {
    it(`is refused for ${what} that could not be sent, and main stays where it is`, async () => {
      await withSite(SITE, (gitdir, first) =>
        withClone(gitdir, (clone) => {
          commitFiles(clone, files)
          assert.match(gitRefusal(clone, 'push', 'origin', 'main'), reason)
          assert.equal(readRef(gitdir, MAIN), first)
        }),
      )
    })
  }

  it('may bring a page with as many bytes as other files, which a line names as published as a file', async () => {
    await withSite(SITE, (gitdir) =>
      withClone(gitdir, (clone) => {
        const push = () => spawnSync('git', ['-C', clone, 'push', 'origin', 'main'], { encoding: 'utf8' }).stderr
        writePushLimits(dirname(gitdir), { maxHtmlBytes: 1000, maxFileBytes: 3000 })
        commitFiles(clone, { '100%.html': 'y'.repeat(1001), 'small.html': 'y'.repeat(1000) })
        assert.doesNotMatch(push(), /as a file/)
        commitFiles(clone, { '100%25.html': 'z'.repeat(3000) })
        assert.match(push(), /warning: 100%25\.html: It has more than 1000 bytes: it is published as a file/)
        assert.equal(readRef(gitdir, MAIN), git(clone, 'rev-parse', 'HEAD'))
        commitFiles(clone, { '100%25.html': 'z'.repeat(3001) })
        assert.match(gitRefusal(clone, 'push', 'origin', 'main'), /100%25\.html has 3001 bytes: at most 3000/)
      }),
    )
  })

  it('is refused for an oversize message of a commit or a tag, on every ref, and in an earlier commit', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const long = commitFiles(clone, { 'a.html': 'a' }, 'x '.repeat(200_000))
        commitFiles(clone, { 'b.html': 'b' })
        for (const ref of ['main', `${long}:refs/heads/topic`, `${long}:refs/tags/v1`]) {
          assert.match(
            gitRefusal(clone, 'push', 'origin', ref),
            new RegExp(`the commit ${long} has 400\\d\\d\\d bytes`),
          )
        }
        const tag = `object ${first}\ntype commit\ntag v2\ntagger T <t@example.org> 1 +0000\n\n${'y'.repeat(300_000)}\n`
        const oid = gitOid(clone, tag, 'hash-object', '-t', 'tag', '-w', '--stdin')
        assert.match(gitRefusal(clone, 'push', 'origin', `${oid}:refs/tags/v2`), /the tag .* has 300\d\d\d bytes/)
        assert.equal(readRef(gitdir, MAIN), first)
        assert.equal(git(gitdir, 'for-each-ref', 'refs/tags', 'refs/heads/topic'), '')
      }),
    )
  })

  it('is refused for a file that lies too deep, also if a folder contains itself in many places', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, async (clone) => {
        const nest = async (inner: string, times: number): Promise<string> => {
          let oid = inner
          for (let i = 0; i < times; i++) {
            const tree = [{ mode: '040000', path: 'f', oid, type: 'tree' } as const]
            oid = await writeTree({ fs, dir: clone, tree })
          }
          return oid
        }
        const page = git(clone, 'rev-parse', `${first}^{tree}`)
        const half = await nest(page, 300)
        const root = gitOid(clone, `040000 tree ${half}\ta\n040000 tree ${await nest(half, 300)}\tb\n`, 'mktree')
        const commit = gitOid(clone, 'Deep\n', 'commit-tree', root, '-p', first)
        assert.match(
          gitRefusal(clone, 'push', 'origin', `${commit}:refs/heads/main`),
          /a file lies 602 folders deep: at most 512 are accepted/,
        )
        const shallow = gitOid(clone, 'Deep\n', 'commit-tree', half, '-p', first)
        git(clone, 'push', '--quiet', 'origin', `${shallow}:refs/heads/main`)
        assert.equal(readRef(gitdir, MAIN), shallow)
      }),
    )
  })

  it('is judged by the limits of the service, and not by existing files', async () => {
    await withSite(SITE, (gitdir, first) => {
      const { oid, pack } = storeCommit(gitdir, { ...SITE, 'old.html': LARGE_PAGE.toString() }, [first])
      moveRef(gitdir, MAIN, first, oid, LOG)
      pack.release()
      return withClone(gitdir, (clone) => {
        commitFiles(clone, { 'new.html': 'y'.repeat(2000) })
        git(clone, 'push', '--quiet')
        writePushLimits(dirname(gitdir), { maxHtmlBytes: 1000, maxFileBytes: 3000 })
        commitFiles(clone, { 'newer.html': 'z'.repeat(3001) })
        assert.match(gitRefusal(clone, 'push'), /newer\.html has 3001 bytes: at most 3000/)
      })
    })
  })

  it('is judged the same way in an import', async () => {
    await withSite(SITE, (gitdir, first) => {
      const { oid, pack } = storeCommit(gitdir, { ...SITE, 'large.html': LARGE_PAGE.toString() }, [first])
      moveRef(gitdir, MAIN, first, oid, LOG)
      pack.release()
      return withFolder(async (dataDir) => {
        writePushLimits(dataDir, { maxHtmlBytes: 1000, maxFileBytes: 3000 })
        await assert.rejects(
          importFrom(dataDir, gitdir, 'id', 1_790_000_000),
          /large\.html has 10485761 bytes: at most 3000/,
        )
        writePushLimits(dataDir, { maxHtmlBytes: 1000, maxFileBytes: 11 * MEBIBYTE })
        const { warnings } = await importFrom(dataDir, gitdir, 'id', 1_790_000_000)
        assert.match(warnings.join('\n'), /large\.html: It has more than 1000 bytes: it is published as a file/)
      })
    })
  })
})
