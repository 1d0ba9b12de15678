import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { ServiceError } from '../../../src/model/errors.js'
import { isFilePath, treePathOfFile, treePathOfNewFile, urlPathOfFile } from '../../../src/model/paths/file-path.js'
import { assetPathOf, foldCase } from '../../../src/model/paths/page-path.js'
import { anyPath, likelyPath } from './arbitrary-path.js'

describe('the path of a file', () => {
  for (const [path, treePath] of [
    ['/img/logo.svg', 'img/logo.svg'],
    ['img/logo.svg', 'img/logo.svg'],
    ['/100%.txt', '100%.txt'],
    ['/%2e%2e', '%2e%2e'],
    ['/_redirects', '_redirects'],
    ['/.well-known/security.txt', '.well-known/security.txt'],
    ['/a b/c+d.txt', 'a b/c+d.txt'],
    ['/vendors~main.js', 'vendors~main.js'],
    ['/50%.html', '50%.html'],
    ['/console.log', 'console.log'],
    ['/~1.txt', '~1.txt'],
    ['/~12345678', '~12345678'],
    ['/x~123456', 'x~123456'],
  ] as const) {
    it(`${path} is ${treePath}, whether or not the file is new`, () => {
      assert.equal(treePathOfFile(path), treePath)
      assert.equal(treePathOfNewFile(path), treePath)
      assert.ok(isFilePath(treePath))
    })
  }

  for (const path of ['', '/', '//a', '/a//b', '/a/', '/./a', '/a/../b', '/..', '/a\0b']) {
    it(`${JSON.stringify(path)} names no file`, () => {
      assert.throws(() => treePathOfFile(path), { code: 'invalid_path' })
    })
  }

  const refused = [
    ['/.env', '/a/.git/x', '/.well-known', '/a/.well-known/x', '/.well-known/.x', '/.g\u200cit/x', '/\u200c'],
    [
      '/~1234567/x',
      '/a/g~123456',
      '/M~987654',
      '/git~1/x',
      '/GITMOD~1',
      '/gi7eba~1',
      '/mailma~1',
      '/con',
      '/aux.txt',
      '/a/COM1.png',
      '/a.',
      '/a ',
      '/a./b',
    ],
    ['/a?b', '/a#b', '/a\\b', '/a:b', '/a*b', '/a"b', '/a|b', '/a<b', '/a\nb', '/a\u007f', '/e\u0301.txt', '/\ud800'],
    ['/collections/x.json', '/Collections/x.png', '/collections', `/${'x'.repeat(256)}`, `/${'x/'.repeat(512)}x`],
  ].flat()
  for (const path of refused) {
    it(`${JSON.stringify(path.slice(0, 30))} may not be the path of a new file, and the refusal says why`, () => {
      const refusal = refusalOf(path)
      assert.equal(refusal?.code, 'invalid_path')
      assert.match(refusal?.message ?? '', /: .+\.$/)
    })
  }

  it('is refused if it has the name of a page', () => {
    for (const page of ['about.html', 'docs/index.html', '404.html', 'collections/a.html'])
      assert.equal(isFilePath(page), false, page)
    for (const own of ['.site.json', '.pages/aa/x.json', '.templates/x.html', '.long/x.html', 'collections/x.json'])
      assert.equal(isFilePath(own), false, own)
  })

  it('can be found from its URL', () => {
    const check = (path: string) => {
      if (refusalOf(path) !== undefined) return
      const treePath = treePathOfNewFile(path)
      const url = urlPathOfFile(treePath)
      if (isFilePath(treePath) && url !== undefined) assert.equal(assetPathOf(url), treePath)
    }
    fc.assert(fc.property(fc.oneof(anyPath, likelyPath), check), { numRuns: 5000 })
  })

  it('is checked out by git on every system: fsck is clean and a clone has each file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'file-path-'))
    const git = (cwd: string, args: string[], input?: string) =>
      execFileSync('git', ['-c', 'core.protectHFS=true', '-c', 'core.protectNTFS=true', ...args], {
        cwd,
        input,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'pipe'],
        maxBuffer: 1 << 26,
      })
    try {
      const files = compatible([...fc.sample(anyPath, 6000), ...fc.sample(likelyPath, 6000)])
      assert.ok(files.length > 500, `only ${files.length} files`)
      const origin = join(folder, 'origin.git')
      git(folder, ['init', '--quiet', '--bare', '--initial-branch=main', origin])
      const blob = git(origin, ['hash-object', '-w', '--stdin'], 'file\n').trim()
      git(origin, ['update-index', '-z', '--index-info'], files.map((name) => `100644 ${blob}\t${name}\0`).join(''))
      const tree = git(origin, ['write-tree']).trim()
      const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.test']
      const commit = git(origin, [...identity, 'commit-tree', '-m', 'Add', tree]).trim()
      git(origin, ['update-ref', 'refs/heads/main', commit])
      git(origin, ['fsck', '--full', '--strict'])
      git(folder, ['clone', '--quiet', origin, join(folder, 'clone')])
      const listed = git(join(folder, 'clone'), ['ls-files', '-z']).split('\0').slice(0, -1)
      assert.deepEqual(new Set(listed), new Set(files))
      assert.equal(git(join(folder, 'clone'), ['status', '--porcelain']), '')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

function refusalOf(path: string): ServiceError | undefined {
  try {
    treePathOfNewFile(path)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
}

/** Returns the accepted paths, without two that are equal under case folding, and without a folder of another. */
function compatible(paths: readonly string[]): string[] {
  const taken = new Map<string, 'file' | 'folder'>()
  return paths
    .filter((path) => refusalOf(path) === undefined)
    .flatMap((path) => {
      const folded = foldCase(treePathOfNewFile(path)).split('/')
      const folders = folded.slice(0, -1).map((_, depth) => folded.slice(0, depth + 1).join('/'))
      const whole = folded.join('/')
      if (taken.has(whole) || folders.some((folder) => taken.get(folder) === 'file')) return []
      for (const folder of folders) taken.set(folder, 'folder')
      taken.set(whole, 'file')
      return [treePathOfNewFile(path)]
    })
}
