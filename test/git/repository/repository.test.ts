import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { RepositoryInvalid } from '../../../src/git/objects/errors.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { createRepository, openRepository } from '../../../src/git/repository/repository.js'
import { SITE_HOOKS } from '../../../src/repository/hooks/site-hooks.js'
import { clearUnfinished, unfinishedPath } from '../../../src/git/disk/unfinished.js'
import { assertSound, git } from '../../support/git.js'
import { buildCommit, gitRefusal, MAIN, withBareGit, withFolder, withSite } from '../scratch-repository.js'

const SITE = { 'index.html': 'hello', '.site.json': '{}' }
const REQUIRED = {
  'core.repositoryformatversion': '0',
  'core.bare': 'true',
  'core.fsync': 'all',
  'core.logAllRefUpdates': 'true',
  'core.symlinks': 'false',
  'core.alternateRefsCommand': 'touch',
  'receive.fsckObjects': 'true',
  'receive.denyNonFastForwards': 'true',
  'receive.denyDeletes': 'true',
  'receive.autogc': 'false',
  'gc.auto': '0',
  'receive.fsck.zeroPaddedFilemode': 'ignore',
  'receive.fsck.missingSpaceBeforeDate': 'ignore',
  'receive.fsck.badTimezone': 'ignore',
  'fsck.zeroPaddedFilemode': 'ignore',
  'fsck.missingSpaceBeforeDate': 'ignore',
  'fsck.badTimezone': 'ignore',
}

describe('a repository that we make', () => {
  it('is sound, bare, on main, and configured as promised', () => {
    withSite(SITE, (gitdir, first) => {
      assertSound(gitdir)
      assert.equal(git(gitdir, 'symbolic-ref', 'HEAD'), MAIN)
      assert.equal(git(gitdir, 'rev-parse', 'main'), first)
      assert.equal(git(gitdir, 'rev-parse', '--is-bare-repository'), 'true')
      for (const [name, value] of Object.entries(REQUIRED)) assert.equal(git(gitdir, 'config', name), value, name)
      assert.equal(git(gitdir, 'config', 'core.hooksPath'), join(gitdir, 'hooks'))
      assert.deepEqual(readdirSync(join(gitdir, '..')), ['site.git'])
      openRepository(gitdir, SITE_HOOKS)
    })
  })

  it('does not replace an existing one', () => {
    withSite(SITE, (gitdir, first) => {
      const built = buildCommit({ 'index.html': 'another' }, [], 'Another')
      assert.throws(() => createRepository(gitdir, built, SITE_HOOKS), /EEXIST|ENOTEMPTY/)
      assert.equal(git(gitdir, 'rev-parse', 'main'), first)
      assert.deepEqual(readdirSync(join(gitdir, '..')), ['site.git'])
    })
  })

  it('replaces a half-made one that a crash left', () => {
    withFolder((folder) => {
      const gitdir = join(folder, 'it’s a "site" #1; \\ é.git')
      mkdirSync(join(folder, `.new-1.1.0-${gitdir.slice(folder.length + 1)}`, 'objects'), { recursive: true })
      for (const kind of ['import', 'gone'])
        mkdirSync(join(folder, `.${kind}-1.1.0-x.git`, 'objects'), { recursive: true })
      createRepository(gitdir, buildCommit(SITE, [], 'First'), SITE_HOOKS)
      assertSound(gitdir)
      assert.equal(git(gitdir, 'config', 'core.hooksPath'), join(gitdir, 'hooks'))
      openRepository(gitdir, SITE_HOOKS)
      clearUnfinished(folder)
      assert.deepEqual(readdirSync(folder), [gitdir.slice(folder.length + 1)])
    })
  })

  // Only Linux tells when a process started.
  const itWithProc = existsSync('/proc/1/stat') ? it : () => undefined
  itWithProc('is left alone, half-made, while the process that makes it runs', () => {
    withFolder((folder) => {
      const init = readFileSync('/proc/1/stat', 'latin1').split(') ')[1]?.split(' ')[19]
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8)
      const others = `.import-1.${init}.${boot}-x.git`
      mkdirSync(join(folder, others))
      mkdirSync(unfinishedPath(folder, 'new', 'ours.git'))
      clearUnfinished(folder)
      assert.equal(readdirSync(folder).length, 2)
    })
  })
})

/** Calls a function while no program can be found. */
function withoutPrograms(call: () => void): void {
  const { PATH } = process.env
  process.env['PATH'] = ''
  try {
    call()
  } finally {
    process.env['PATH'] = PATH
  }
}

describe('opening a repository', () => {
  it('changes nothing if all is right, and starts no program', () => {
    withSite(SITE, (gitdir) => {
      const config = join(gitdir, 'config')
      utimesSync(config, 1, 1)
      withoutPrograms(() => openRepository(gitdir, SITE_HOOKS))
      assert.equal(statSync(config).mtimeMs, 1000)
    })
  })

  it('restores every setting that was changed, removed, or written in a way that only git can read', () => {
    withSite(SITE, (gitdir) => {
      for (const name of ['core.hooksPath', ...Object.keys(REQUIRED).slice(1)]) {
        git(gitdir, 'config', name, 'false')
        openRepository(gitdir, SITE_HOOKS)
        assert.equal(
          git(gitdir, 'config', name),
          REQUIRED[name as keyof typeof REQUIRED] ?? join(gitdir, 'hooks'),
          name,
        )
        git(gitdir, 'config', '--unset', name)
        openRepository(gitdir, SITE_HOOKS)
        assert.equal(
          git(gitdir, 'config', name),
          REQUIRED[name as keyof typeof REQUIRED] ?? join(gitdir, 'hooks'),
          name,
        )
      }
      writeFileSync(
        join(gitdir, 'config'),
        '[core] bare = yes ; comment\n[CORE]\nfsync=none\n\tFsync = "all" # yes\n[gc]\n\tauto\n[x "y.Z"] k = v\n',
      )
      openRepository(gitdir, SITE_HOOKS)
      for (const [name, value] of Object.entries(REQUIRED).slice(1))
        assert.equal(git(gitdir, 'config', name), value, name)
      assert.equal(git(gitdir, 'config', 'x.y.Z.k'), 'v')
    })
  })

  it('accepts repositories that git init and git clone --bare make', () => {
    withBareGit((gitdir) => {
      openRepository(gitdir, SITE_HOOKS)
      for (const [name, value] of Object.entries(REQUIRED)) assert.equal(git(gitdir, 'config', name), value, name)
      assert.match(readFileSync(join(gitdir, 'hooks', 'pre-receive'), 'utf8'), /^#!\/bin\/sh\n/)
    })
  })

  it('updates the path of the hooks in a renamed repository', () => {
    withSite(SITE, (gitdir) => {
      const moved = join(gitdir, '..', 'moved.git')
      renameSync(gitdir, moved)
      openRepository(moved, SITE_HOOKS)
      assert.equal(git(moved, 'config', 'core.hooksPath'), join(moved, 'hooks'))
      assert.match(gitRefusal(moved, 'update-ref', '-d', MAIN), /cannot be deleted/)
    })
  })

  const broken: [string, (gitdir: string) => void, RegExp][] = [
    [
      'a HEAD on another branch',
      (gitdir) => git(gitdir, 'symbolic-ref', 'HEAD', 'refs/heads/master'),
      /refs\/heads\/main/,
    ],
    ['a detached HEAD', (gitdir) => writeFileSync(join(gitdir, 'HEAD'), `${'1'.repeat(40)}\n`), /refs\/heads\/main/],
    ['no HEAD', (gitdir) => rmSync(join(gitdir, 'HEAD')), /HEAD cannot be read/],
    ['an empty HEAD, as after a power cut', (gitdir) => writeFileSync(join(gitdir, 'HEAD'), ''), /refs\/heads\/main/],
    ['garbage for a config', (gitdir) => writeFileSync(join(gitdir, 'config'), 'not a config\n'), /git cannot read/],
    ['no config', (gitdir) => rmSync(join(gitdir, 'config')), /config cannot be read/],
    ['an unknown format version', (gitdir) => git(gitdir, 'config', 'core.repositoryFormatVersion', '2'), /version 2/],
    ['SHA-256 objects', (gitdir) => git(gitdir, 'config', 'extensions.objectFormat', 'sha256'), /SHA-256/],
    ['a reftable', (gitdir) => mkdirSync(join(gitdir, 'reftable')), /reftable/],
    ['a reftable by configuration', (gitdir) => git(gitdir, 'config', 'extensions.refStorage', 'reftable'), /reftable/],
    ['alternates', (gitdir) => writeFileSync(join(gitdir, 'objects/info/alternates'), '/elsewhere\n'), /borrows/],
    ['a promisor remote', (gitdir) => git(gitdir, 'config', 'remote.origin.promisor', 'true'), /partial clone/],
    [
      'a partial clone extension',
      (gitdir) => git(gitdir, 'config', 'extensions.partialClone', 'origin'),
      /partial clone/,
    ],
    ['a shallow history', (gitdir) => writeFileSync(join(gitdir, 'shallow'), `${'1'.repeat(40)}\n`), /unshallow/],
  ]
  for (const [what, damage, reason] of broken) {
    it(`refuses ${what}, with an explanation, and changes nothing`, () => {
      withSite(SITE, (gitdir) => {
        damage(gitdir)
        rmSync(join(gitdir, 'hooks'), { recursive: true })
        assert.throws(
          () => openRepository(gitdir, SITE_HOOKS),
          (error: unknown) => error instanceof RepositoryInvalid && reason.test(error.message),
        )
        assert.ok(!existsSync(join(gitdir, 'hooks')))
      })
    })
  }

  it('refuses a real SHA-256 repository', () => {
    withFolder((folder) => {
      git(folder, 'init', '--quiet', '--bare', '--object-format=sha256', '--initial-branch=main', 'x.git')
      assert.throws(() => openRepository(join(folder, 'x.git'), SITE_HOOKS), RepositoryInvalid)
    })
  })

  it('clears half-made files, and nothing else, in our folder', () => {
    withSite(SITE, (gitdir, first) => {
      const ours = join(gitdir, 'palimpsest')
      const dead = '1.1.00000000'
      for (const name of [`pack-${dead}-0-1.pack`, `ref-${dead}-0-2`, `mark-${dead}`, 'notes.txt']) {
        writeFileSync(join(ours, name), '')
      }
      openRepository(gitdir, SITE_HOOKS)
      assert.deepEqual(
        readdirSync(ours).filter((name) => !name.startsWith(`mark-${process.pid}.`)),
        ['notes.txt', 'pushers'],
      )
      assert.ok(new ObjectDatabase(gitdir).has(first))
      rmSync(ours, { recursive: true })
      openRepository(gitdir, SITE_HOOKS)
      assert.ok(existsSync(ours))
    })
  })
})
