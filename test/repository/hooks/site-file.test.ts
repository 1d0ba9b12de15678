import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readRef } from '../../../src/git/repository/ref.js'
import { hooksOfSite, siteIdInHooks } from '../../../src/repository/hooks/site-hooks.js'
import { git, withClone } from '../../support/git.js'
import { blob, commitSiteFile, siteFileOf, WRONG_SITE_FILES } from '../../git/site-file.js'
import { gitRefusal, MAIN, withSite } from '../../git/scratch-repository.js'

const SITE_ID = randomUUID()
const FILES = { '.site.json': siteFileOf(SITE_ID), 'index.html': 'hello' }
const REFUSAL = new RegExp(
  `refused: \\.site\\.json holds the site's id and must stay\\. .*echo '{"format":1,"id":"${SITE_ID}"}' > \\.site\\.json`,
)

/** Runs with only git and the hooks: no service runs. */
function withOwnSite(work: (gitdir: string, clone: string, first: string) => void, files = FILES): Promise<void> {
  return withSite(
    files,
    (gitdir, first) => withClone(gitdir, (clone) => work(gitdir, clone, first)),
    hooksOfSite(SITE_ID),
  )
}

function refused(clone: string, commit: string, ...args: string[]): void {
  assert.match(gitRefusal(clone, 'push', ...args, 'origin', `${commit}:${MAIN}`), REFUSAL)
}

function accepted(clone: string, gitdir: string, commit: string): void {
  git(clone, 'push', '--quiet', 'origin', `${commit}:${MAIN}`)
  assert.equal(readRef(gitdir, MAIN), commit)
}

describe('a push by path that changes the id in .site.json', () => {
  it('is refused with advice, and main stays, for any wrong content and also by force', () =>
    withOwnSite((gitdir, clone, first) => {
      for (const [what, wrong] of Object.entries(WRONG_SITE_FILES)) {
        refused(clone, commitSiteFile(clone, first, wrong(clone, SITE_ID)))
        assert.equal(readRef(gitdir, MAIN), first, what)
      }
      refused(clone, commitSiteFile(clone, first, undefined), '--force')
      assert.equal(readRef(gitdir, MAIN), first)
    }))

  it('is refused if it removes the file in one commit and adds another id in the next', () =>
    withOwnSite((gitdir, clone, first) => {
      const removed = commitSiteFile(clone, first, undefined)
      refused(clone, commitSiteFile(clone, removed, blob(clone, siteFileOf(randomUUID()))))
      assert.equal(readRef(gitdir, MAIN), first)
    }))
})

describe('a push by path that keeps the id of .site.json', () => {
  it('is accepted if the file is missing only in between', () =>
    withOwnSite((gitdir, clone, first) => {
      const removed = commitSiteFile(clone, first, undefined)
      accepted(clone, gitdir, commitSiteFile(clone, removed, blob(clone, siteFileOf(SITE_ID))))
    }))

  it("is accepted by a site without the file if it adds no file or one with the site's own id", () =>
    withOwnSite(
      (gitdir, clone, first) => {
        for (const [what, wrong] of Object.entries(WRONG_SITE_FILES)) {
          const entry = wrong(clone, SITE_ID)
          if (entry !== undefined) refused(clone, commitSiteFile(clone, first, entry))
          assert.equal(readRef(gitdir, MAIN), first, what)
        }
        const next = gitCommit(clone, first)
        accepted(clone, gitdir, next)
        accepted(clone, gitdir, commitSiteFile(clone, next, blob(clone, siteFileOf(SITE_ID))))
      },
      { 'index.html': 'hello' } as typeof FILES,
    ))

  it('may restore the id of a site whose file has another id', () =>
    withOwnSite((gitdir, clone, first) => {
      const other = commitSiteFile(clone, first, blob(clone, siteFileOf(randomUUID())))
      git(gitdir, 'fetch', '--quiet', clone, other)
      git(gitdir, 'update-ref', MAIN, other)
      const next = gitCommit(clone, other)
      accepted(clone, gitdir, next)
      accepted(clone, gitdir, commitSiteFile(clone, next, blob(clone, siteFileOf(SITE_ID))))
    }))
})

describe('the hooks of a site', () => {
  it('name their site', async () => {
    await withOwnSite((gitdir) => assert.equal(siteIdInHooks(gitdir), SITE_ID))
    withSite(FILES, (gitdir) => assert.equal(siteIdInHooks(gitdir), undefined))
    assert.equal(siteIdInHooks('/nowhere'), undefined)
  })
})

/** A commit that changes no file. */
function gitCommit(clone: string, parent: string): string {
  return git(clone, 'commit-tree', `${parent}^{tree}`, '-p', parent, '-m', 'Something else')
}
