import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeFolders } from '../../../src/git/disk/make-folders.js'

describe('making folders', () => {
  let folder: string
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'palimpsest-folders-'))))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('makes all missing ones, with the mode, and leaves existing ones', () => {
    makeFolders(join(folder, 'a', 'b'), 0o700)
    makeFolders(join(folder, 'a', 'b'))
    for (const path of ['a', 'a/b']) assert.equal(statSync(join(folder, path)).mode & 0o777, 0o700)
  })

  it('refuses a file in the place of a folder or above it', () => {
    writeFileSync(join(folder, 'file'), '')
    assert.throws(() => makeFolders(join(folder, 'file')), /EEXIST/)
    assert.throws(() => makeFolders(join(folder, 'file', 'a', 'b')), /ENOTDIR/)
  })

  const itWithProc = existsSync('/proc/self') ? it : () => undefined
  itWithProc('ends if a folder accepts no new ones and answers ENOENT', () => {
    assert.throws(() => makeFolders('/proc/nothing/below'), /ENOENT/)
  })
})
