import assert from 'node:assert/strict'
import { chmodSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBrokenPacks } from '../../../src/git/storage/pack-pairs.js'
import { git } from '../../support/git.js'
import { withSite } from '../scratch-repository.js'

/** Flips a bit of the only pack, or of its index. */
function flipBit(gitdir: string, ending: string, offset: number): void {
  const folder = join(gitdir, 'objects', 'pack')
  const name = readdirSync(folder).find((file) => file.endsWith(ending)) ?? ''
  const bytes = readFileSync(join(folder, name))
  bytes[offset]! ^= 1
  chmodSync(join(folder, name), 0o644)
  writeFileSync(join(folder, name), bytes)
}

describe('the look at the ends of packs', () => {
  it('finds no fault with packs of ours and of git', () => {
    withSite({ 'index.html': 'hello' }, (gitdir) => {
      assert.deepEqual(findBrokenPacks(gitdir), [])
      git(gitdir, 'repack', '-adq')
      assert.deepEqual(findBrokenPacks(gitdir), [])
    })
  })

  const places: [string, string, number][] = [
    ['the signature of the pack', '.pack', 0],
    ['the version of the pack', '.pack', 7],
    ['the number of objects in the pack', '.pack', 11],
    ['the version of the index', '.idx', 7],
    ['the first table of the index', '.idx', 8 + 4 * 100],
    ['the last line of that table', '.idx', 8 + 4 * 255 + 3],
  ]
  for (const [what, ending, offset] of places) {
    it(`finds one wrong bit in ${what}`, () => {
      withSite({ 'index.html': 'hello' }, (gitdir) => {
        flipBit(gitdir, ending, offset)
        assert.equal(findBrokenPacks(gitdir).length, 1)
      })
    })
  }
})
