import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RepositoryInvalid } from '../../../src/git/objects/errors.js'
import { pushMarkOf } from '../../../src/git/repository/push-mark.js'
import { openRepository } from '../../../src/git/repository/repository.js'
import { encodePack } from '../../../src/git/storage/pack-writer.js'
import { checkPrograms } from '../../../src/repository/disk/checks/program-check.js'
import { withLinkedCopy } from '../../../src/repository/disk/checks/linked-copy.js'
import { SITE_HOOKS } from '../../../src/repository/hooks/site-hooks.js'
import { assertSound, git, withClone } from '../../support/git.js'
import { commandLines } from '../../support/raw-push.js'
import { buildCommit, MAIN, withBareGit, withSite } from '../scratch-repository.js'

const SITE = { 'index.html': 'hello' }
const OWN = '../palimpsest/pushers/objects\n'

const alternatesOf = (gitdir: string) => join(gitdir, 'objects', 'info', 'alternates')
/** Makes the mark an old one, and returns whether `work` has left a new one. */
function marks(gitdir: string, work: () => void): boolean {
  utimesSync(join(gitdir, 'palimpsest', 'pushers'), 1, 1)
  work()
  return pushMarkOf(gitdir) !== 1000
}

describe('the mark of somebody who pushes by path', () => {
  it('is left by git while it lists the refs, and nothing is printed', async () => {
    await withSite(SITE, (gitdir) =>
      withClone(gitdir, (clone) => {
        const push = () => {
          const { status, stderr } = spawnSync('git', ['-C', clone, 'push', '--dry-run', '--quiet'], {
            encoding: 'utf8',
          })
          assert.deepEqual([status, stderr], [0, ''])
        }
        assert.ok(marks(gitdir, push))
      }),
    )
  })

  it('is left again while a push comes in', () => {
    withSite(SITE, (gitdir, first) => {
      const { commit, objects } = buildCommit({ 'index.html': 'next' }, [first], 'Next')
      const commands = commandLines([{ ref: MAIN, before: first, after: commit.oid }])
      // Receives without a list of refs.
      const args = ['receive-pack', '--stateless-rpc', gitdir]
      const receive = () => spawnSync('git', args, { input: Buffer.concat([commands, encodePack(objects).pack]) })
      assert.ok(marks(gitdir, receive))
      assert.equal(git(gitdir, 'rev-parse', MAIN), commit.oid)
    })
  })

  it('is not left by clones, fetches and questions of an operator', async () => {
    await withSite(SITE, (gitdir) =>
      withClone(gitdir, (clone) => {
        const read = () => {
          git(clone, 'fetch', '--quiet')
          git(clone, 'ls-remote', '--quiet')
          git(gitdir, 'log', '--oneline', 'main')
          git(gitdir, 'gc', '--quiet')
          git(clone, 'clone', '--quiet', '--no-local', gitdir, 'other')
        }
        assert.ok(!marks(gitdir, read))
      }),
    )
  })

  it('lets operators clone the repository in every way, check it, and copy it back', () => {
    withSite(SITE, (gitdir, first) => {
      const folder = dirname(gitdir)
      for (const [name, ...how] of [
        ['plain.git', '--bare'],
        ['mirror.git', '--mirror'],
        ['whole.git', '--bare', '--no-local'],
      ] as const) {
        git(folder, 'clone', '--quiet', ...how, gitdir, name)
        assert.equal(git(join(folder, name), 'rev-parse', 'main'), first)
        assertSound(join(folder, name))
      }
      rmSync(gitdir, { recursive: true })
      renameSync(join(folder, 'plain.git'), gitdir)
      openRepository(gitdir, SITE_HOOKS)
      assert.equal(readFileSync(alternatesOf(gitdir), 'utf8'), OWN)
      assertSound(gitdir)
    })
  })

  it('does not show in the copy that git checks', async () => {
    await withSite(SITE, (gitdir) =>
      withLinkedCopy(gitdir, async (copy) => {
        assert.notEqual(copy, gitdir)
        const { stdout, stderr } = spawnSync('git', ['-C', copy, 'fsck', '--no-progress'], { encoding: 'utf8' })
        assert.equal(stdout + stderr, '')
      }),
    )
  })

  it('is set up in repositories of earlier versions, and is no foreign program', () => {
    withBareGit((gitdir) => {
      openRepository(gitdir, SITE_HOOKS)
      assert.equal(readFileSync(alternatesOf(gitdir), 'utf8'), OWN)
      assert.equal(git(gitdir, 'config', 'core.alternateRefsCommand'), 'touch')
      assert.deepEqual(checkPrograms(gitdir, new Map([['core.alternaterefscommand', 'touch']])), [])
      const [trouble] = checkPrograms(gitdir, new Map([['core.alternaterefscommand', 'touch x; rm']]))
      assert.equal(trouble?.subject, 'the setting core.alternaterefscommand')
    })
  })

  it('lets a repository borrow nothing: not from its folder, nor from others', () => {
    const lend: ((gitdir: string) => void)[] = [
      (gitdir) => mkdirSync(join(gitdir, 'palimpsest/pushers/objects/pack')),
      (gitdir) => writeFileSync(alternatesOf(gitdir), `${OWN}/elsewhere/objects\n`),
      (gitdir) => {
        mkdirSync(join(dirname(gitdir), 'other.git/palimpsest/pushers/objects/ab'), { recursive: true })
        writeFileSync(alternatesOf(gitdir), '../../other.git/palimpsest/pushers/objects\n')
      },
    ]
    for (const change of lend)
      withSite(SITE, (gitdir) => {
        change(gitdir)
        assert.throws(() => openRepository(gitdir, SITE_HOOKS), RepositoryInvalid)
        assert.ok(git(gitdir, 'rev-parse', MAIN))
      })
  })
})
