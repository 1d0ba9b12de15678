import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { GitFailed, runGit, runGitSync, streamGit } from '../../src/git/command.js'
import { git } from '../support/git.js'
import { gitOid, withBareGit, withSite } from './scratch-repository.js'

const SITE = { 'index.html': 'hello' }

describe('running git', () => {
  it('starts one command in a turn of the event loop, so that others are served in between', async () => {
    await withSite(SITE, async (gitdir) => {
      let turn = 0
      let counting = setImmediate(function count() {
        turn++
        counting = setImmediate(count)
      })
      const startedIn: number[] = []
      const note = () => startedIn.push(turn)
      subscribe('child_process', note)
      await Promise.all(Array.from({ length: 5 }, () => runGit(gitdir, ['rev-parse', 'HEAD'])))
      unsubscribe('child_process', note)
      clearImmediate(counting)
      assert.equal(startedIn.length, 5)
      assert.equal(new Set(startedIn).size, 5)
    })
  })

  it('works on the given repository, even if GIT_DIR names another', async () => {
    await withBareGit((foreign) =>
      withSite(SITE, async (gitdir, first) => {
        process.env['GIT_DIR'] = foreign
        try {
          assert.equal((await runGit(gitdir, ['rev-parse', 'main'])).toString().trim(), first)
          assert.equal(runGitSync(gitdir, ['rev-parse', 'main']).toString().trim(), first)
          const variables = (await runGit(gitdir, ['var', 'GIT_EDITOR'], { configuration: 'user' })).toString()
          assert.notEqual(variables, '')
        } finally {
          delete process.env['GIT_DIR']
        }
      }),
    )
  })

  it("ignores the user's configuration unless it is asked for", async () => {
    await withSite(SITE, async (gitdir) => {
      const home = join(gitdir, '..')
      writeFileSync(join(home, '.gitconfig'), '[palimpsest]\n\ttest = seen\n')
      const { HOME, XDG_CONFIG_HOME } = process.env
      process.env['HOME'] = home
      delete process.env['XDG_CONFIG_HOME']
      try {
        const args = ['config', '--default', 'unseen', 'palimpsest.test']
        assert.equal((await runGit(gitdir, args)).toString(), 'unseen\n')
        assert.equal((await runGit(gitdir, args, { configuration: 'user' })).toString(), 'seen\n')
      } finally {
        process.env['HOME'] = HOME
        if (XDG_CONFIG_HOME !== undefined) process.env['XDG_CONFIG_HOME'] = XDG_CONFIG_HOME
      }
    })
  })

  it('reads the original objects, ignoring refs/replace', async () => {
    await withSite(SITE, async (gitdir) => {
      const oid = git(gitdir, 'rev-parse', 'main:index.html')
      git(
        gitdir,
        '-c',
        'core.hooksPath=/dev/null',
        'replace',
        oid,
        gitOid(gitdir, 'replaced', 'hash-object', '-w', '--stdin'),
      )
      assert.equal(git(gitdir, 'cat-file', 'blob', oid), 'replaced')
      assert.equal((await runGit(gitdir, ['cat-file', 'blob', oid])).toString(), 'hello')
    })
  })

  it('runs at the given priority, with all programs that it starts', async () => {
    await withSite(SITE, async (gitdir) => {
      const args = ['-c', 'alias.niceness=!nice', 'niceness']
      const own = Number(await runGit(gitdir, args))
      assert.equal(Number(await runGit(gitdir, args, { niceness: 7 })), own + 7)
    })
  })

  it("fails with git's own words and its exit code", async () => {
    await withSite(SITE, async (gitdir) => {
      const isTold = (error: unknown) =>
        error instanceof GitFailed && error.exitCode === 128 && /Not a valid object name nothing/.test(error.message)
      await assert.rejects(runGit(gitdir, ['cat-file', 'blob', 'nothing']), isTold)
      assert.throws(() => runGitSync(gitdir, ['cat-file', 'blob', 'nothing']), isTold)
    })
  })

  it('says which command failed if git printed nothing', () => {
    assert.throws(
      () => runGitSync('/dev/null', ['config', '--file', '/dev/null', 'a.b']),
      /^GitFailed: git config .* ended with 1$/,
    )
  })

  it('ends a command at its deadline', async () => {
    await withSite(SITE, async (gitdir) => {
      const args = ['-c', 'alias.wait=!sleep 30', 'wait']
      await assert.rejects(runGit(gitdir, args, { maxMs: 200 }), (error: GitFailed) => {
        assert.match(error.message, /took too long and was ended/)
        return !error.isNotStarted
      })
      assert.throws(() => runGitSync(gitdir, args, { maxMs: 200 }), /took too long and was ended/)
    })
  })

  it('gives a command all of its input, and consumes the rest if the command does not read it', async () => {
    await withSite(SITE, async (gitdir) => {
      const bytes = Buffer.alloc(3_000_000, 'x')
      const pieces = [bytes.subarray(0, 1_000_000), bytes.subarray(1_000_000)]
      const oid = (await runGit(gitdir, ['hash-object', '--stdin'], { input: pieces })).toString().trim()
      assert.equal(oid, gitOid(gitdir, bytes.toString(), 'hash-object', '--stdin'))
      assert.equal(
        (await runGit(gitdir, ['cat-file', 'blob', 'main:index.html'], { input: pieces })).toString(),
        'hello',
      )
    })
  })

  it('is ended by its abort signal, and does not begin if that was aborted before', async () => {
    await withSite(SITE, async (gitdir) => {
      const args = ['-c', 'alias.wait=!sleep 30', 'wait']
      await assert.rejects(runGit(gitdir, args, { signal: AbortSignal.timeout(100) }), GitFailed)
      await assert.rejects(runGit(gitdir, args, { signal: AbortSignal.abort() }), GitFailed)
    })
  })

  it('reports if git is not installed', async () => {
    const { PATH } = process.env
    process.env['PATH'] = '/nowhere'
    try {
      await assert.rejects(runGit('/nowhere', ['version']), (error: GitFailed) => {
        assert.match(error.message, /did not start: is git on the PATH\?/)
        return error.isNotStarted
      })
    } finally {
      process.env['PATH'] = PATH
    }
  })

  it('streams the whole output, and throws before its last bytes when git fails', async () => {
    await withSite(SITE, async (gitdir) => {
      const large = 'a large file\n'.repeat(100_000)
      const oid = gitOid(gitdir, large, 'hash-object', '-w', '--stdin')
      const read = async (args: string[]) => {
        const chunks: Buffer[] = []
        for await (const chunk of streamGit(gitdir, args)) chunks.push(chunk)
        return Buffer.concat(chunks).toString()
      }
      assert.equal(await read(['cat-file', 'blob', oid]), large)
      await assert.rejects(read(['cat-file', 'blob', 'nothing']), GitFailed)
    })
  })
})
