import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'mocha'
import * as fc from 'fast-check'
import { foldCase, type PagePath, parsePagePath, treePathOf } from '../../../src/model/paths/page-path.js'
import { anyPath, likelyPath } from './arbitrary-path.js'
import { runHere } from '../../programs/shell.js'

const CASES = [
  [
    '/.git/config',
    '/.GIT/x',
    '/git~1/x',
    '/GIT~1/x',
    '/.git /x',
    '/.git./x',
    '/.git:x/y',
    '/.g\u200cit/x',
    '/\u200c.git/x',
  ],
  [
    '/git~\u200c1/x',
    '/.gitmodules',
    '/.gitattributes',
    '/gitmod~1/x',
    '/con',
    '/aux/x',
    '/com1.x/y',
    '/%252Egit/x',
    '/-rf',
    '/ ',
  ],
  [
    '/\u200c',
    '/.\u200c./x',
    '/a\u200d.',
    '/\ufeff',
    '/docs',
    '/docs/',
    '/docs/x',
    '/docs.html/x',
    '/"',
    '/%25',
    '/~',
    '/*',
  ],
  ['x'.repeat(250), 'x'.repeat(251), '😀'.repeat(2000), `${'x/'.repeat(509)}x`, 'y/'.repeat(1000)],
].flat()

describe('the stored names of page paths', () => {
  let folder: string
  const git = (cwd: string, args: string[], input = '') =>
    runHere({
      command: ['git', '-c', 'core.protectHFS=true', '-c', 'core.protectNTFS=true', ...args],
      cwd,
      input,
    }).toString()

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'page-path-'))
  })
  after(() => rmSync(folder, { recursive: true }))

  it('are all accepted by git: fsck is clean and a clone checks every page out', () => {
    const files = new Map<string, PagePath>()
    const folded = new Set<string>()
    for (const path of [...CASES, ...sample()].flatMap(accepted)) {
      if (folded.has(foldCase(path))) continue // the store refuses it: a second path equal under case folding
      folded.add(foldCase(path))
      files.set(treePathOf(path), path)
    }
    assert.ok(files.size > 1000, `only ${files.size} pages`)

    const origin = join(folder, 'origin.git')
    git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', origin])
    const blob = git(origin, ['hash-object', '-w', '--stdin'], 'page\n').trim()
    const entries = [...files.keys()].map((name) => `100644 ${blob}\t${name}\0`)
    git(origin, ['update-index', '-z', '--index-info'], entries.join(''))
    const tree = git(origin, ['write-tree']).trim()
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.test']
    const commit = git(origin, [...identity, 'commit-tree', '-m', 'Publish', tree]).trim()
    git(origin, ['update-ref', 'refs/heads/main', commit])

    git(origin, ['fsck', '--full', '--strict'])
    const clone = join(folder, 'clone')
    git(folder, ['clone', '--quiet', origin, clone])
    assert.equal(git(clone, ['status', '--porcelain']), '')
    const listed = git(clone, ['ls-files', '-z']).split('\0').slice(0, -1)
    assert.deepEqual(new Set(listed), new Set(files.keys()))
  })
})

function accepted(text: string): PagePath[] {
  try {
    return [parsePagePath(text)]
  } catch {
    return []
  }
}

function sample(): string[] {
  return [...fc.sample(anyPath, 2000), ...fc.sample(likelyPath, 2000)]
}
