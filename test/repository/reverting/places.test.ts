import assert from 'node:assert/strict'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Written } from '../../../src/repository/protocol/written.js'
import { git } from '../../support/git.js'
import { refusal, RevertibleSite } from './revertible-site.js'

/** Brings something to its place and takes it away again. */
type Gone = () => Promise<Written>

describe('a revert that would bring two things to one place', () => {
  const site = new RevertibleSite()
  beforeEach(() => site.begin())
  after(() => site.close())

  const goneFile = (path: string) => async () => {
    await site.put(path, 'the file')
    return await site.remove(path)
  }
  const gonePage = (path: string) => async () => await site.unpublish(path, await site.publish(path, 'the page'))
  const CASES: Readonly<Record<string, readonly [gone: Gone, later: () => Promise<Written>]>> = {
    'a file where a page answers': [goneFile('a'), () => site.publish('/a', 'later')],
    'a page where a file answers': [gonePage('/a'), () => site.put('a', 'later')],
    'a page whose twin is the page of a folder': [gonePage('/a'), () => site.publish('/a/', 'later')],
    'the page of a folder whose twin is a page': [gonePage('/a/'), () => site.publish('/a', 'later')],
    'a page whose name differs only by case': [gonePage('/about'), () => site.publish('/About', 'later')],
    'a file whose name differs only by case': [goneFile('a.css'), () => site.put('A.css', 'later')],
    'a file in a folder whose name differs only by case': [goneFile('a/b.css'), () => site.put('A/c.css', 'later')],
  }
  for (const [what, [gone, later]] of Object.entries(CASES)) {
    it(`refuses ${what}, also as a dry run`, async () => {
      const { commit } = await gone()
      const { commit: head } = await later()
      await assert.rejects(site.revert(commit), refusal('path_conflict'))
      await assert.rejects(site.dryRun(commit), refusal('path_conflict'))
      assert.equal(site.git('rev-parse', 'main'), head)
    })
  }

  it('refuses commits that bring back both together, and accepts each alone', async () => {
    const file = await goneFile('a')()
    const page = await gonePage('/a')()
    await assert.rejects(site.revert(page.commit, file.commit), refusal('path_conflict'))
    await site.revert(file.commit)
    assert.equal(site.git('show', 'main:a'), 'the file')
  })

  it('brings back together what was there together: twins by case, a page and its folder, a file and a page', async () => {
    const files = ['a/Go.html', 'a/go.html', 'B/c.css', 'b/c.css', 'about.html', 'about/index.html', 'get', 'get.html']
    await site.push((clone) => {
      for (const path of files) {
        mkdirSync(dirname(join(clone, path)), { recursive: true })
        writeFileSync(join(clone, path), path)
      }
      git(clone, 'add', '.')
      git(clone, 'commit', '--quiet', '--message', 'Twins')
    })
    const gone = await site.push((clone) => {
      git(clone, 'rm', '--quiet', ...files)
      git(clone, 'commit', '--quiet', '--message', 'None of them')
    })
    await site.revert(gone)
    assert.deepEqual(site.git('ls-tree', '-r', '--name-only', 'main', ...files).split('\n'), files.toSorted())
  })

  it('refuses to put a file in place of a link that was never served', async () => {
    const commit = await site.push((clone) => {
      writeFileSync(join(clone, 'a'), 'the file')
      git(clone, 'add', '.')
      git(clone, 'commit', '--quiet', '--message', 'A file')
      rmSync(join(clone, 'a'))
      symlinkSync('elsewhere', join(clone, 'a'))
    })
    await site.publish('/a', 'the page')
    await assert.rejects(site.revert(commit), refusal('path_conflict'))
  })
})
