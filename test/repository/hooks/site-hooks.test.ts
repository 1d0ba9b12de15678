import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { encodeCommit } from '../../../src/git/objects/commit.js'
import { moveRef, readRef } from '../../../src/git/repository/ref.js'
import { openRepository } from '../../../src/git/repository/repository.js'
import { writePushLimits } from '../../../src/repository/hooks/push-limits.js'
import { SITE_HOOKS } from '../../../src/repository/hooks/site-hooks.js'
import { assertSound, git, withClone } from '../../support/git.js'
import {
  gitOid,
  gitRefusal,
  gitWithInput,
  LOG,
  MAIN,
  storeCommit,
  withFolder,
  withSite,
} from '../../git/scratch-repository.js'

const SITE = { 'index.html': 'hello' }
const SENTENCE = /this history is linear: git pull --rebase/

/** The service publishes something, as it would between an operator's pull and push. */
function publish(gitdir: string, name = 'ours.html'): string {
  const head = readRef(gitdir, MAIN) ?? ''
  const { oid, pack } = storeCommit(gitdir, { ...SITE, [name]: 'published' }, [head])
  moveRef(gitdir, MAIN, head, oid, LOG)
  pack.release()
  return oid
}

function commitFile(clone: string, name: string, content = name): string {
  mkdirSync(dirname(join(clone, name)), { recursive: true })
  writeFileSync(join(clone, name), content)
  git(clone, 'add', '--all')
  git(clone, 'commit', '--quiet', '-m', `Add ${name}`)
  return git(clone, 'rev-parse', 'HEAD')
}

/** A commit on main whose tree has one more entry, of a name that no file system has to be able to hold. */
function commitName(clone: string, name: string | Buffer): string {
  const line = Buffer.concat([
    Buffer.from(`100644 blob ${git(clone, 'rev-parse', 'HEAD:index.html')}\t`),
    Buffer.from(name as string),
  ])
  const tree = gitWithInput(clone, Buffer.concat([line, Buffer.alloc(1)]), 'mktree', '-z')
    .toString('latin1')
    .trim()
  return gitOid(clone, 'Odd\n', 'commit-tree', tree, '-p', 'HEAD')
}

/** A commit of a tree that has 10,000,000,000 paths and eleven objects. */
function commitEndlessTree(folder: string, parent: string): string {
  return commitFolders(folder, parent, { levels: 10, width: 10, nameOf: String })
}

/** A commit of a tree of so many levels, each of so many equal folders; in each of the last is what `parent` has. */
function commitFolders(
  folder: string,
  parent: string,
  { levels, width, nameOf }: { levels: number; width: number; nameOf: (at: number) => string },
): string {
  let tree = git(folder, 'rev-parse', `${parent}^{tree}`)
  for (let level = 0; level < levels; level++) {
    const lines = Array.from({ length: width }, (_, at) => `040000 tree ${tree}\t${nameOf(at)}\n`).join('')
    tree = gitOid(folder, lines, 'mktree')
  }
  return gitOid(folder, 'Folders\n', 'commit-tree', tree, '-p', parent)
}

/** Pushes to main with 2 GiB for each process, the hooks' among them. */
function pushWithinMemory(folder: string, remote: string, oid: string) {
  const script = 'ulimit -v 2097152 && exec git -C "$0" push "$1" "$2:refs/heads/main"'
  return spawnSync('sh', ['-c', script, folder, remote, oid], { encoding: 'utf8' })
}

describe('a push to a site', () => {
  it('is accepted when it only goes forward, by one commit or several', async () => {
    await withSite(SITE, (gitdir) =>
      withClone(gitdir, (clone) => {
        commitFile(clone, 'a.html')
        git(clone, 'push', '--quiet')
        commitFile(clone, 'docs/b.html')
        const head = commitFile(clone, 'docs/c.html')
        git(clone, 'push', '--quiet')
        assert.equal(readRef(gitdir, MAIN), head)
        assertSound(gitdir)
      }),
    )
  })

  it('is accepted with more objects than git keeps loose, and refused for one of them', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        for (let at = 0; at < 200; at++) writeFileSync(join(clone, `${at}.html`), `page ${at}`)
        commitFile(clone, 'large.bin', 'x'.repeat(3001))
        writePushLimits(dirname(gitdir), { maxHtmlBytes: 1000, maxFileBytes: 3000 })
        assert.match(gitRefusal(clone, 'push'), /large\.bin has 3001 bytes: at most 3000/)
        assert.equal(readRef(gitdir, MAIN), first)
        writePushLimits(dirname(gitdir), { maxHtmlBytes: 1000, maxFileBytes: 4000 })
        git(clone, 'push', '--quiet')
        assert.equal(readRef(gitdir, MAIN), git(clone, 'rev-parse', 'HEAD'))
      }),
    )
  })

  it('is refused when a merge would hide a publish, and accepted once it is rebased', async () => {
    await withSite(SITE, (gitdir) =>
      withClone(gitdir, (clone) => {
        commitFile(clone, 'a.html')
        const published = publish(gitdir)
        git(clone, 'pull', '--quiet', '--no-rebase', '--no-edit')
        assert.match(gitRefusal(clone, 'push'), SENTENCE)
        assert.equal(readRef(gitdir, MAIN), published)

        git(clone, 'pull', '--quiet', '--rebase')
        git(clone, 'push', '--quiet')
        assert.ok(git(gitdir, 'log', '--first-parent', '--format=%H', 'main').includes(published))
        assertSound(gitdir)
      }),
    )
  })

  it('is accepted when the first parents of a merge lead through the old head', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const published = publish(gitdir)
        git(clone, 'checkout', '--quiet', '-b', 'topic', first)
        commitFile(clone, 'topic.html')
        git(clone, 'checkout', '--quiet', 'main')
        git(clone, 'pull', '--quiet')
        git(clone, 'merge', '--quiet', '--no-ff', '--no-edit', 'topic')
        git(clone, 'push', '--quiet')
        assert.equal(git(gitdir, 'rev-parse', 'main^'), published)
      }),
    )
  })

  it('is judged by parents, not by the dates of commits', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const tree = git(clone, 'rev-parse', `${first}^{tree}`)
        let head = first
        for (const time of [4_000_000_000, 1, 3_000_000_000, 0]) {
          const identity = { ...LOG.committer, time }
          const bytes = encodeCommit({
            tree,
            parents: [head],
            author: identity,
            committer: identity,
            message: 'Skewed\n',
          })
          head = gitOid(clone, bytes, 'hash-object', '-t', 'commit', '-w', '--stdin')
        }
        git(clone, 'push', '--quiet', 'origin', `${head}:refs/heads/main`)
        assert.equal(readRef(gitdir, MAIN), head)
      }),
    )
  })

  it('is refused if it is forced, has another history, or deletes main', async () => {
    await withSite(SITE, (gitdir, first) => {
      const published = publish(gitdir)
      return withClone(gitdir, (clone) => {
        const orphan = git(clone, 'commit-tree', `${first}^{tree}`, '-m', 'Another beginning')
        for (const refspec of [`+${first}:refs/heads/main`, `+${orphan}:refs/heads/main`, ':refs/heads/main']) {
          gitRefusal(clone, 'push', 'origin', refspec)
          gitRefusal(clone, '-c', 'push.default=current', 'push', '--force', 'origin', refspec)
        }
        // The hooks refuse even what the configuration would allow.
        git(gitdir, 'config', 'receive.denyNonFastForwards', 'false')
        git(gitdir, 'config', 'receive.denyDeletes', 'false')
        git(gitdir, 'config', 'receive.denyDeleteCurrent', 'ignore')
        assert.match(gitRefusal(clone, 'push', 'origin', `+${first}:refs/heads/main`), SENTENCE)
        assert.match(gitRefusal(clone, 'push', 'origin', `+${orphan}:refs/heads/main`), /begins with another commit/)
        assert.match(gitRefusal(clone, 'push', 'origin', ':refs/heads/main'), /cannot be deleted/)
        assert.equal(readRef(gitdir, MAIN), published)
      })
    })
  })

  it('may create, move and delete other branches and tags, but not refs of the service', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const one = commitFile(clone, 'a.html')
        git(clone, 'push', '--quiet', 'origin', `${one}:refs/heads/topic`, `${one}:refs/tags/v1`)
        assert.match(gitRefusal(clone, 'push', 'origin', `${one}:refs/for/main`), /changes are proposed over HTTP/)
        assert.match(gitRefusal(clone, 'push', 'origin', `${one}:refs/palimpsest/lost/${one}`), /only the service/)
        assert.equal(readRef(gitdir, MAIN), first)
        assert.equal(readRef(gitdir, 'refs/heads/topic'), one)
      }),
    )
  })

  const bad: [string, string | Buffer, RegExp][] = [
    ['a backslash', 'a\\b.html', /backslash/],
    ['a backslash at its end', 'a\\', /backslash/],
    ['a backslash and a quote', '"\\"', /backslash/],
    ['a tab', 'a\tb.html', /control/],
    ['a line feed', 'a\nb.html', /control/],
    ['a delete character', 'a\u007f.html', /control/],
    ['a control character of Latin-1', 'a\u0085.html', /control/],
    ['bytes that are no UTF-8', Buffer.from('caf\xe9.html', 'latin1'), /UTF-8/],
    ['an overlong slash', Buffer.from([0xc0, 0xaf]), /UTF-8/],
    ['a surrogate', Buffer.from([0xed, 0xa0, 0x80]), /UTF-8/],
    ['a code point past Unicode', Buffer.from([0xf4, 0x90, 0x80, 0x80]), /UTF-8/],
    ['256 bytes', 'x'.repeat(256), /longer than 255/],
    ['256 bytes in 128 letters', 'é'.repeat(128), /longer than 255/],
    ['git in it', '.git', /hasDotgit/],
    ['git in another case', '.GIT', /hasDotgit/],
    ['what NTFS calls .git', 'git~1', /hasDotgit/],
    ['what HFS+ calls .git', '.g\u200cit', /hasDotgit/],
  ]
  it('is refused when a checkout could misread its tree, and main stays where it is', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        for (const [what, name, reason] of bad) {
          const refusal = gitRefusal(clone, 'push', 'origin', `${commitName(clone, name)}:refs/heads/main`)
          assert.match(refusal, reason, what)
          assert.equal(readRef(gitdir, MAIN), first)
        }
      }),
    )
  })

  // Listing is bounded by who reads it, comparing is not: a hook that compared these would take all memory.
  it('is refused soon when a small tree names the same folder again and again', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const bomb = commitEndlessTree(clone, first)
        assert.match(
          gitRefusal(clone, 'push', 'origin', `${bomb}:refs/heads/main`),
          /more than 500,000 files and folders/,
        )
        assert.equal(readRef(gitdir, MAIN), first)
      }),
    )
  })

  it('is refused soon when the paths of a small tree are too long in total', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const long = commitFolders(clone, first, {
          levels: 4,
          width: 18,
          nameOf: (at) => String(at).padStart(200, 'f'),
        })
        const refusal = gitRefusal(clone, 'push', 'origin', `${long}:refs/heads/main`)
        assert.match(
          refusal,
          /paths of the site's files and folders would have more than 64 MiB together\. Shorten them/,
        )
        assert.equal(readRef(gitdir, MAIN), first)
      }),
    )
  })

  it('is accepted soon when it removes such a tree, which had bypassed the hooks', () => {
    withSite(SITE, (gitdir, first) => {
      const bomb = commitEndlessTree(gitdir, first)
      moveRef(gitdir, MAIN, first, bomb, LOG)
      const repaired = git(gitdir, 'commit-tree', `${first}^{tree}`, '-p', bomb, '-m', 'Take it away')
      const { status, stderr } = pushWithinMemory(gitdir, gitdir, repaired)
      assert.equal(status, 0, stderr)
      assert.equal(readRef(gitdir, MAIN), repaired)
    })
  })

  it('is accepted with unusual but harmless names', async () => {
    const good = [
      'x'.repeat(255),
      `"${'q'.repeat(253)}"`,
      `${'é'.repeat(127)}x`,
      '日本語 😀.html',
      'a"b".html',
      "it's $HOME `id`.html",
      '-n',
      '*',
      '\ufffd',
      '\u00a0',
      '\u{10ffff}',
    ]
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const blob = git(clone, 'rev-parse', 'HEAD:index.html')
        const lines = good.map((name) => `100644 blob ${blob}\t${name}\0`).join('')
        const tree = gitOid(clone, lines, 'mktree', '-z')
        const head = gitOid(clone, 'Unusual\n', 'commit-tree', tree, '-p', first)
        git(clone, 'push', '--quiet', 'origin', `${head}:refs/heads/main`)
        assert.equal(readRef(gitdir, MAIN), head)
        assertSound(gitdir)
      }),
    )
  })

  it('is judged by its changes only: existing bad names do not block it', () => {
    withSite(SITE, (gitdir, first) => {
      const { oid, pack } = storeCommit(gitdir, { ...SITE, 'a\\b.html': 'old' }, [first])
      moveRef(gitdir, MAIN, first, oid, LOG)
      pack.release()
      withFolder((folder) => {
        git(folder, 'clone', '--quiet', '--bare', gitdir, 'copy')
        const copy = join(folder, 'copy')
        const tree = gitOid(copy, `${git(copy, 'ls-tree', 'main').replace('index', 'start')}\n`, 'mktree')
        const next = gitOid(copy, 'Next\n', 'commit-tree', tree, '-p', oid)
        git(copy, 'push', '--quiet', gitdir, `${next}:refs/heads/main`)
        assert.equal(readRef(gitdir, MAIN), next)
      })
    })
  })
})

describe('a push that must not be lost', () => {
  it('is synced after main has moved and before git reports success', async () => {
    await withSite(SITE, (gitdir) =>
      withClone(gitdir, (clone) => {
        const programs = mkdtempSync(join(gitdir, '..', 'programs-'))
        const log = join(programs, 'log')
        writeFileSync(join(programs, 'sync'), `#!/bin/sh\necho "$1 $(cat "$2/refs/heads/main")" >> ${log}\n`)
        chmodSync(join(programs, 'sync'), 0o755)
        const head = commitFile(clone, 'a.html')
        const env = { ...process.env, PATH: `${programs}:${process.env['PATH']}` }
        const { status, stderr } = spawnSync('git', ['-C', clone, 'push', 'origin', 'main'], { encoding: 'utf8', env })
        assert.equal(status, 0, stderr)
        assert.equal(readFileSync(log, 'utf8'), `-f ${head}\n`)
      }),
    )
  })
})

describe('a replacement of an object', () => {
  it('does not let a push bypass the hooks, even if it existed before them', async () => {
    await withSite(SITE, (gitdir, first) => {
      const published = publish(gitdir)
      return withClone(gitdir, (clone) => {
        const tree = git(clone, 'rev-parse', `${first}^{tree}`)
        const other = git(clone, 'commit-tree', tree, '-p', first, '-m', 'Another')
        const forged = git(clone, 'commit-tree', tree, '-p', published, '-m', 'Another')
        git(clone, 'push', '--quiet', 'origin', `${forged}:refs/heads/forged`, `${other}:refs/heads/other`)
        git(gitdir, '-c', 'core.hooksPath=/dev/null', 'update-ref', `refs/replace/${other}`, forged)
        git(gitdir, 'config', 'receive.denyNonFastForwards', 'false')
        assert.match(gitRefusal(clone, 'push', '--force', 'origin', `${other}:refs/heads/main`), SENTENCE)
        assert.equal(readRef(gitdir, MAIN), published)
      })
    })
  })

  it('is refused by push and by git replace, and can be deleted', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const head = commitFile(clone, 'a.html')
        const refusal = gitRefusal(clone, 'push', 'origin', `${head}:refs/replace/${first}`)
        assert.match(refusal, /replacements of objects \(git replace\) are not accepted/)
        const blob = git(gitdir, 'rev-parse', 'main:index.html')
        const other = gitOid(gitdir, 'other', 'hash-object', '-w', '--stdin')
        assert.match(gitRefusal(gitdir, 'replace', blob, other), /replacements of objects/)
        git(gitdir, '-c', 'core.hooksPath=/dev/null', 'replace', blob, other)
        git(gitdir, 'pack-refs', '--all')
        git(gitdir, 'replace', '--delete', blob)
        assert.equal(git(gitdir, 'for-each-ref', 'refs/replace'), '')
      }),
    )
  })
})

describe('a push of very many refs', () => {
  it('is refused as a whole, soon', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const lines = Array.from({ length: 5000 }, (_, i) => `create refs/tags/v${i} ${first}\n`).join('')
        gitWithInput(clone, lines, 'update-ref', '--stdin')
        const { status, stderr } = spawnSync('git', ['-C', clone, 'push', '--tags'], { encoding: 'utf8' })
        assert.notEqual(status, 0)
        assert.match(stderr, /a push may change at most 100 refs/)
        assert.equal(git(gitdir, 'tag'), '')
      }),
    )
  })
})

describe('a push of tags to a site that has 10,000', () => {
  it('is refused if it adds one, but may move, delete and replace them', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const lines = Array.from({ length: 10_000 }, (_, i) => `${first} refs/tags/v${i}\n`)
        writeFileSync(join(gitdir, 'packed-refs'), lines.join(''))
        const head = commitFile(clone, 'a.html')
        const refusal = gitRefusal(clone, 'push', 'origin', `${first}:refs/tags/more`)
        assert.match(
          refusal,
          /the site has 10000 tags: at most 10000 are accepted\. Delete some first: git push --delete/,
        )
        git(clone, 'push', '--quiet', 'origin', 'HEAD:main')
        git(clone, 'push', '--quiet', '--force', 'origin', `${head}:refs/tags/v1`)
        git(clone, 'push', '--quiet', '--atomic', 'origin', ':refs/tags/v2', `${head}:refs/tags/new`)
        assert.equal(git(gitdir, 'rev-parse', 'v1', 'new'), `${head}\n${head}`)
        assert.match(gitRefusal(clone, 'push', 'origin', `${first}:refs/tags/more`), /the site has 10000 tags/)
        git(clone, 'push', '--quiet', 'origin', ':refs/tags/v3')
        git(clone, 'push', '--quiet', 'origin', `${first}:refs/tags/more`)
      }),
    )
  })
})

describe("an operator's git in the repository itself", () => {
  it('may move main forward', () => {
    withSite(SITE, (gitdir, first) => {
      const next = git(gitdir, 'commit-tree', `${first}^{tree}`, '-p', first, '-m', 'By hand')
      git(gitdir, 'update-ref', MAIN, next)
      const last = git(gitdir, 'commit-tree', `${first}^{tree}`, '-p', next, '-m', 'Through HEAD')
      git(gitdir, 'update-ref', 'HEAD', last, next)
      assert.equal(readRef(gitdir, MAIN), last)
    })
  })

  it('may not move main back or elsewhere, nor delete it', () => {
    withSite(SITE, (gitdir, first) => {
      const head = publish(gitdir)
      const unrelated = git(gitdir, 'commit-tree', `${first}^{tree}`, '-m', 'Unrelated')
      assert.match(gitRefusal(gitdir, 'update-ref', MAIN, first), SENTENCE)
      assert.match(gitRefusal(gitdir, 'update-ref', MAIN, unrelated), SENTENCE)
      assert.match(gitRefusal(gitdir, 'update-ref', 'HEAD', unrelated), SENTENCE)
      assert.match(gitRefusal(gitdir, 'branch', '--force', 'main', unrelated), SENTENCE)
      assert.match(gitRefusal(gitdir, 'update-ref', '-d', MAIN), /cannot be deleted/)
      git(gitdir, 'pack-refs', '--all')
      assert.match(gitRefusal(gitdir, 'update-ref', '-d', MAIN), /cannot be deleted/)
      gitRefusal(gitdir, 'branch', '--move', 'main', 'other')
      assert.equal(readRef(gitdir, MAIN), head)
      assertSound(gitdir)
    })
  })

  it('may pack refs, collect garbage and delete refs that the service keeps for the operator', () => {
    withSite(SITE, (gitdir) => {
      const head = publish(gitdir)
      const lost = `refs/palimpsest/lost/${head}`
      moveRef(gitdir, lost, undefined, head, LOG)
      assert.match(gitRefusal(gitdir, 'update-ref', 'refs/palimpsest/mine', head), /only the service/)
      git(gitdir, 'pack-refs', '--all', '--prune')
      git(gitdir, 'gc', '--quiet', '--prune=now')
      assert.equal(readRef(gitdir, MAIN), head)
      git(gitdir, 'update-ref', '-d', lost)
      assert.equal(readRef(gitdir, lost), undefined)
      publish(gitdir, 'more.html')
      assertSound(gitdir)
    })
  })
})

describe('the hooks', () => {
  it('need nothing but Node, git, a shell and coreutils', async () => {
    await withSite(SITE, (gitdir) =>
      withClone(gitdir, (clone) => {
        const PATH = mkdtempSync(join(gitdir, '..', 'programs-'))
        for (const name of ['git', 'sh', 'cat', 'cut', 'sync', 'tail', 'touch']) {
          const path = execFileSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim()
          symlinkSync(path, join(PATH, name))
        }
        const run = (folder: string, ...args: string[]) =>
          spawnSync('git', ['-C', folder, ...args], { encoding: 'utf8', env: { ...process.env, PATH } })
        const head = commitFile(clone, 'a.html')
        assert.equal(run(clone, 'push', '--quiet', 'origin', 'main').stderr, '')
        assert.equal(readRef(gitdir, MAIN), head)
        assert.equal(run(gitdir, 'pack-refs', '--all').stderr, '')
        const odd = commitName(clone, Buffer.from([0x61, 0xff]))
        assert.match(run(clone, 'push', 'origin', `${odd}:refs/heads/main`).stderr, /a file name is not UTF-8/)
      }),
    )
  })

  it('refuse every push if the judge is not where it was, until the service updates them', async () => {
    await withSite(SITE, (gitdir, first) =>
      withClone(gitdir, (clone) => {
        const hook = join(gitdir, 'hooks', 'pre-receive')
        const text = readFileSync(hook, 'utf8')
        const head = commitFile(clone, 'a.html')
        for (const line of [/^node='.*'$/m, /^program='.*'$/m]) {
          assert.match(text, line)
          writeFileSync(
            hook,
            text.replace(line, (found) => found.replace("='", "='/gone")),
          )
          const refusal = gitRefusal(clone, 'push', 'origin', 'main')
          assert.match(
            refusal,
            /the program that judges pushes is not where it was\. Nothing was changed\. Start the service/,
          )
          assert.equal(readRef(gitdir, MAIN), first)
        }
        openRepository(gitdir, SITE_HOOKS)
        git(clone, 'push', '--quiet', 'origin', 'main')
        assert.equal(readRef(gitdir, MAIN), head)
      }),
    )
  })

  it('replace those of an earlier version, which had one more file', () => {
    withSite(SITE, (gitdir) => {
      const hooks = join(gitdir, 'hooks')
      const before = readdirSync(hooks)
      writeFileSync(join(hooks, 'common.sh'), '#!/bin/sh\n', { mode: 0o755 })
      writeFileSync(join(hooks, 'pre-receive'), '#!/bin/sh\n. "${0%/*}/common.sh"\n')
      openRepository(gitdir, SITE_HOOKS)
      assert.deepEqual(readdirSync(hooks), before)
    })
  })

  it('are restored when they are removed, changed or not executable', () => {
    withSite(SITE, (gitdir) => {
      const hooks = join(gitdir, 'hooks')
      const before = readdirSync(hooks)
      writeFileSync(join(hooks, 'pre-receive'), '#!/bin/sh\nexit 0\n')
      chmodSync(join(hooks, 'reference-transaction'), 0o644)
      openRepository(gitdir, SITE_HOOKS)
      assert.deepEqual(readdirSync(hooks), before)
      assert.equal(statSync(join(hooks, 'reference-transaction')).mode & 0o111, 0o111)
      assert.match(gitRefusal(gitdir, 'update-ref', '-d', MAIN), /cannot be deleted/)
    })
  })
})

describe('a push of rules', () => {
  /** Pushes, and returns git's output on the terminal. */
  function push(clone: string): { status: number | null; stderr: string } {
    return spawnSync('git', ['-C', clone, 'push', 'origin', 'HEAD:main'], { encoding: 'utf8' })
  }

  it('is accepted with wrong lines, and the answer names each of them', async () => {
    await withSite(SITE, (gitdir) =>
      withClone(gitdir, (clone) => {
        commitFile(clone, '_redirects', '/a /b\n/c\n')
        const head = commitFile(clone, '_headers', '/*\n  Set-Cookie: a=1\n')
        const { status, stderr } = push(clone)
        assert.equal(status, 0)
        assert.match(
          stderr,
          /remote: palimpsest: warning: line 2 of _redirects is skipped\. The destination is missing/,
        )
        assert.match(stderr, /remote: palimpsest: warning: line 2 of _headers is skipped\. The field set-cookie/)
        assert.equal(readRef(gitdir, MAIN), head)
      }),
    )
  })

  it('is accepted without a warning when it changes no rules, or corrects them', async () => {
    await withSite({ ...SITE, _redirects: '/c\n' }, (gitdir) =>
      withClone(gitdir, (clone) => {
        commitFile(clone, 'a.html')
        assert.doesNotMatch(push(clone).stderr, /remote:/)
        commitFile(clone, '_redirects', '/c /a\n')
        assert.doesNotMatch(push(clone).stderr, /remote:/)
      }),
    )
  })

  it('names ten wrong lines and the number of the others, and a file that is too long only once', async () => {
    await withSite(SITE, (gitdir) =>
      withClone(gitdir, (clone) => {
        commitFile(clone, '_redirects', '/c\n'.repeat(25))
        commitFile(clone, '_headers', '/*\n'.repeat(200_000))
        const { status, stderr } = push(clone)
        assert.equal(status, 0)
        assert.equal(stderr.match(/of _redirects is skipped/g)?.length, 10)
        assert.match(stderr, /warning: 15 more lines of _redirects are skipped\./)
        assert.match(stderr, /_headers is skipped\. The file has 600000 bytes/)
      }),
    )
  })
})
