import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound, git, withClone } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { type Page, put } from '../client.js'
import { commitFiles, runGit } from './operator.js'
import { PATIENCE_MS, within } from '../../support/within.js'

describe('an operator with plain git', () => {
  let running: TestService
  let service: TestService
  before(async () => {
    running = await startTestService()
  })
  beforeEach(async () => {
    service = await running.inNewWorkspace()
  })
  afterEach(() => service.stop())

  const push = (clone: string, ...options: string[]) => runGit(clone, 'push', '--quiet', ...options)
  const pageAt = async (path: string) => (await service.api().get('/pages').query({ path })).body.data[0] as Page
  const versionsOf = async (page: Page) =>
    (await service.api().get(`/pages/${page.id}/versions`)).body.data as {
      id: string
      author: string
      action: string
    }[]
  const live = (path: string, html: string) =>
    within(PATIENCE_MS, async () => assert.equal((await service.visit(path)).text, html))
  const gone = (path: string) => within(PATIENCE_MS, async () => assert.equal((await service.visit(path)).status, 404))

  it('pushes a new page and an edit, which are live within a second and listed as versions with their author', async () => {
    const about = await put(service.api(), '/about', 'by the API')
    await withClone(service.gitdir(), async (clone) => {
      const pushed = commitFiles(clone, 'Say it by hand', { 'about.html': 'by hand', 'new.html': 'new by hand' })
      assert.equal((await push(clone)).code, 0)
      await within(PATIENCE_MS, async () => {
        assert.equal((await service.visit('/about')).text, 'by hand')
        assert.equal((await service.visit('/new')).text, 'new by hand')
        for (const page of [about, await pageAt('/new')]) {
          const [newest] = await versionsOf(page)
          assert.deepEqual([newest?.id, newest?.author], [pushed, 'Olga Operator'])
        }
      })
    })
  })

  it('sees the next API write build on the push, with the id of the pushed page kept', async () => {
    await withClone(service.gitdir(), async (clone) => {
      const pushed = commitFiles(clone, 'Add a page', { 'new.html': '<title>New</title>' })
      assert.equal((await push(clone)).code, 0)
      const other = await put(service.api(), '/other', 'written next')
      assert.equal(git(service.gitdir(), 'rev-parse', `${other.version.id}^`), pushed)
      const page = await pageAt('/new')
      assert.equal(page.title, 'New')
      const replaced = await put(service.api(), '/new', 'replaced by the API')
      assert.deepEqual([replaced.id, replaced.version.number], [page.id, 2])
      git(clone, 'pull', '--quiet', '--rebase')
      assert.ok(existsSync(join(clone, '.pages', page.id.slice(0, 2), `${page.id}.json`)))
    })
    assertSound(service.gitdir())
  })

  it('reads the history of a page with git log, show, diff and blame', async () => {
    const ada = service.api((await service.mint({ label: 'Ada' })).key)
    const bob = service.api((await service.mint({ label: 'Bob' })).key)
    const page = await put(ada, '/about', 'one\ntwo\nthree\n')
    const replaced = await put(bob, '/about', 'one\nZWEI\nthree\n')
    await ada.post(`/pages/${page.id}/rollback`).send({ version: 1, reason: 'English, please' })
    await ada.delete(`/pages/${page.id}`)
    const gitdir = service.gitdir()
    const first = page.version.id.slice(0, 10)
    assert.deepEqual(git(gitdir, 'log', '--format=%an: %s', 'main', '--', 'about.html').split('\n'), [
      'Ada: Unpublish /about',
      'Ada: English, please',
      'Bob: Replace /about',
      'Ada: Publish /about',
    ])
    assert.equal(git(gitdir, 'show', `${replaced.version.id}:about.html`), 'one\nZWEI\nthree')
    assert.match(git(gitdir, 'diff', page.version.id, replaced.version.id, '--', 'about.html'), /^-two\n\+ZWEI$/m)
    assert.match(
      git(gitdir, 'log', '-1', '--skip=1', '--format=%B', 'main'),
      new RegExp(`^Operation: Roll back /about to ${first}$`, 'm'),
    )
    assert.match(
      git(gitdir, 'log', '-1', '--skip=1', '--format=%B', 'main'),
      new RegExp(`^This reverts commit ${replaced.version.id}\\.$`, 'm'),
    )
    const blame = git(gitdir, 'blame', '--line-porcelain', replaced.version.id, '--', 'about.html')
    assert.deepEqual(blame.match(/^author .*$/gm), ['author Ada', 'author Bob', 'author Ada'])
  })

  it('reverts a publish, a replace and an unpublish from a clone: live within a second, with the same ids', async () => {
    const kept = await put(service.api(), '/kept', 'first')
    const replaced = await put(service.api(), '/kept', 'second')
    const made = await put(service.api(), '/made', 'made')
    const unpublished = await put(service.api(), '/unpublished', 'still wanted')
    await service.api().delete(`/pages/${unpublished.id}`)
    const [unpublishing] = await versionsOf(unpublished)

    await withClone(service.gitdir(), async (clone) => {
      for (const commit of [made.version.id, replaced.version.id, unpublishing?.id ?? '']) {
        git(clone, 'revert', '--no-edit', commit)
        assert.equal((await push(clone)).code, 0)
      }
    })
    await gone('/made')
    await live('/kept', 'first')
    await live('/unpublished', 'still wanted')
    await within(PATIENCE_MS, async () => {
      assert.equal((await pageAt('/kept')).id, kept.id)
      assert.equal((await pageAt('/unpublished')).id, unpublished.id)
      assert.equal((await service.api().get(`/pages/${made.id}`)).status, 404)
      assert.equal((await versionsOf(kept)).length, 3)
    })

    // The publish again, by reverting its revert: the page that was.
    await withClone(service.gitdir(), async (clone) => {
      git(clone, 'revert', '--no-edit', 'HEAD~2')
      assert.equal((await push(clone)).code, 0)
    })
    await live('/made', 'made')
    await within(PATIENCE_MS, async () => assert.equal((await pageAt('/made')).id, made.id))
  })

  it('is refused a merge that would hide publishes, and the advice in the refusal works', async () => {
    await withClone(service.gitdir(), async (clone) => {
      commitFiles(clone, 'In the meantime', { 'mine.html': 'mine' })
      const published = await put(service.api(), '/theirs', 'theirs')
      const late = await push(clone)
      assert.notEqual(late.code, 0)
      git(clone, 'pull', '--quiet', '--no-rebase', '--no-edit')
      const merge = await push(clone)
      assert.notEqual(merge.code, 0)
      assert.match(merge.stderr, /this history is linear: git pull --rebase/)
      assert.equal(git(service.gitdir(), 'rev-parse', 'main'), published.version.id)

      git(clone, 'pull', '--quiet', '--rebase')
      assert.equal((await push(clone)).code, 0)
      assert.equal(git(service.gitdir(), 'rev-parse', 'main^'), published.version.id)
    })
    await live('/mine', 'mine')
    await live('/theirs', 'theirs')
  })

  it('is refused a forced push, a deletion of main, and an update-ref that goes back', async () => {
    const published = await put(service.api(), '/about', 'published')
    const gitdir = service.gitdir()
    await withClone(gitdir, async (clone) => {
      git(clone, 'commit', '--quiet', '--amend', '--message', 'Rewritten')
      const refused = [
        await push(clone, '--force'),
        await push(clone, '--delete', 'origin', 'main'),
        await runGit(gitdir, 'update-ref', 'refs/heads/main', 'main~1'),
        await runGit(gitdir, 'update-ref', '-d', 'refs/heads/main'),
        await runGit(gitdir, 'branch', '--force', 'main', 'main~1'),
      ]
      for (const { code, stderr } of refused) assert.ok(code !== 0, stderr)
    })
    assert.equal(git(gitdir, 'rev-parse', 'main'), published.version.id)
  })
})
