import assert from 'node:assert/strict'
import { chmodSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../support/git.js'
import { conflictsOf, refusal, RevertibleSite } from './revertible-site.js'

describe('a revert of single paths', () => {
  const site = new RevertibleSite()
  beforeEach(() => site.begin())
  after(() => site.close())

  it('keeps later writes at the new place of a file that was moved', async () => {
    await site.put('old.css', 'the first text')
    const { commit } = await site.move('old.css', 'new.css')
    await site.put('new.css', 'written later')
    assert.deepEqual(await conflictsOf(site.revert(commit)), [['new.css', 'changed']])
    assert.equal(site.git('show', 'main:new.css'), 'written later')
  })

  it('undoes the rest of a commit whose file is gone, though a file with equal bytes came elsewhere', async () => {
    const bytes = 'the same bytes\n'.repeat(10)
    await site.put('edited.css', 'one')
    const commit = await site.push((clone) => {
      writeFileSync(join(clone, 'added.css'), bytes)
      writeFileSync(join(clone, 'edited.css'), 'two')
    })
    await site.remove('added.css')
    await site.put('elsewhere.css', bytes)
    await site.revert(commit)
    assert.deepEqual(site.paths(), ['.site.json', 'edited.css', 'elsewhere.css'])
    assert.equal(site.git('show', 'main:edited.css'), 'one')
  })

  it('undoes a move of a folder, and keeps files that were added to it since', async () => {
    await site.put('one/a.css', 'a')
    await site.put('one/b.css', 'b')
    const commit = await site.push((clone) => git(clone, 'mv', 'one', 'two'))
    await site.put('two/later.css', 'c')
    await site.revert(commit)
    assert.deepEqual(site.paths(), ['.site.json', 'one/a.css', 'one/b.css', 'two/later.css'])
  })

  it('refuses to restore a file where a folder is now, or below a path that is a file now', async () => {
    await site.put('place', 'a file')
    const first = await site.remove('place')
    await site.put('place/inner.css', 'a{}')
    assert.deepEqual(await conflictsOf(site.revert(first.commit)), [['place', 'in_the_way']])
    const second = await site.remove('place/inner.css')
    await site.put('place', 'another file')
    assert.deepEqual(await conflictsOf(site.revert(second.commit)), [['place/inner.css', 'in_the_way']])
    assert.equal(site.git('show', 'main:place'), 'another file')
  })

  it('gives the reason for each path that cannot be undone', async () => {
    for (const name of ['changed', 'missing', 'there']) await site.put(`${name}.txt`, 'one')
    const commit = await site.push((clone) => {
      writeFileSync(join(clone, 'changed.txt'), 'two')
      writeFileSync(join(clone, 'missing.txt'), 'two')
      rmSync(join(clone, 'there.txt'))
    })
    await site.put('changed.txt', 'three')
    await site.remove('missing.txt')
    await site.put('there.txt', 'three')
    assert.deepEqual(await conflictsOf(site.revert(commit)), [
      ['changed.txt', 'changed'],
      ['missing.txt', 'missing'],
      ['there.txt', 'in_the_way'],
    ])
  })

  it('does not merge lines of binary files, links and files of the service', async () => {
    const { id } = await site.publish('/a', 'one')
    const sidecar = `.pages/${id.slice(0, 2)}/${id}.json`
    const pushed = (title: string, last: string, byte: string, target: string) =>
      site.push((clone) => {
        const json = ['{', ' "path":"/a",', ` "title":"${title}",`, ' "template":null,', ` "last":"${last}"`, '}', '']
        writeFileSync(join(clone, sidecar), json.join('\n'))
        writeFileSync(join(clone, 'image'), `${byte}\nb\nc\nd\ne\n${last}\0`)
        rmSync(join(clone, 'link'), { force: true })
        symlinkSync(target, join(clone, 'link'))
      })
    await pushed('one', 'one', 'one', 'one')
    const commit = await pushed('two', 'one', 'two', 'two')
    await pushed('three', 'three', 'two', 'three')
    assert.deepEqual(await conflictsOf(site.revert(commit)), [
      [sidecar, 'changed'],
      ['image', 'changed'],
      ['link', 'changed'],
    ])
  })

  it("keeps later changes of a file's mode or bytes", async () => {
    await site.put('run.txt', 'one')
    const { commit } = await site.put('run.txt', 'two')
    await site.push((clone) => chmodSync(join(clone, 'run.txt'), 0o755))
    await site.revert(commit)
    assert.match(site.git('ls-tree', 'main', 'run.txt'), /^100755 /)
    assert.equal(site.git('show', 'main:run.txt'), 'one')
  })

  it('undoes a merge against its first parent', async () => {
    const commit = await site.push((clone) => {
      git(clone, 'checkout', '--quiet', '-b', 'side')
      writeFileSync(join(clone, 'side.txt'), 'from the side')
      git(clone, 'add', '.')
      git(clone, 'commit', '--quiet', '--message', 'Beside')
      git(clone, 'checkout', '--quiet', 'main')
      git(clone, 'merge', '--quiet', '--no-ff', '--message', 'Merge', 'side')
    })
    await site.put('later.txt', 'later')
    await site.revert(commit)
    assert.deepEqual(site.paths(), ['.site.json', 'later.txt'])
  })

  it('leaves no files of its merges behind', async () => {
    await site.publish('/a', 'one\n')
    const { commit } = await site.publish('/a', 'two\n')
    await site.publish('/a', 'three\n')
    await assert.rejects(site.revert(commit), refusal('revert_conflict'))
    const names = readdirSync(join(site.gitdir, 'palimpsest'))
    assert.deepEqual(
      names.filter((name) => name.startsWith('merge')),
      [],
    )
  })
})
