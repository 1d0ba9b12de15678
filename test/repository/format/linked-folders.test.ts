// Held against git, which follows the links of a tree itself: git cat-file --follow-symlinks.

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { LinkedFolders, whyNoAlias } from '../../../src/repository/format/linked-folders.js'
import { runHere } from '../../programs/shell.js'
import { git } from '../../support/git.js'
import { type Content, importCommand } from '../../protocols/host/hosting.js'

const linkTo = (bytes: string): Content => ({ mode: '120000', bytes })

describe('symbolic links in a tree', () => {
  const folder = mkdtempSync(join(tmpdir(), 'links-'))
  const gitdir = join(folder, 'links.git')
  let objects: ObjectDatabase

  before(() => {
    git(folder, 'init', '--quiet', '--bare', gitdir)
    objects = new ObjectDatabase(gitdir)
  })
  after(() => {
    objects.close()
    rmSync(folder, { recursive: true })
  })

  /** Makes a branch of each tree, and opens them. */
  function treesOf(trees: readonly Readonly<Record<string, Content>>[]): LinkedFolders[] {
    const parts = trees.flatMap((files, at) => [
      `commit refs/heads/tree-${at}\ncommitter A <a@b.test> 1700000100 +0000\ndata 0\ndeleteall\n`,
      ...Object.entries(files).flatMap(([path, content]) => importCommand(path, content)),
    ])
    const input = Buffer.concat(parts.map((part) => Buffer.from(part)))
    runHere({ command: ['git', '-C', gitdir, 'fast-import', '--quiet', '--force'], input })
    return trees.map((_, at) => new LinkedFolders(objects, git(gitdir, 'rev-parse', `tree-${at}^{tree}`)))
  }
  const treeOf = (files: Readonly<Record<string, Content>>): LinkedFolders => {
    const [tree] = treesOf([files])
    assert.ok(tree)
    return tree
  }

  // git alone takes "." for a name.
  it('lead where git follows them to', () => {
    const places = ['d', 'd/e', 'f', 'd/f', 'd/e/f', 'none']
    const links = ['l0', 'd/l1', 'd/e/l2']
    const step = fc.constantFrom('..', '', 'd', 'e', 'f')
    const textOf = fc
      .tuple(
        fc.constantFrom('', '../', '../../', 'd/', 'd/../', 'd/e/', '/'),
        fc.constantFrom('d', 'e', 'f', 'none', 'l0', 'l1', 'l2'),
        fc.oneof(fc.constant([]), fc.array(step, { maxLength: 2 })),
      )
      .map(([first, name, last]) => `${first}${[name, ...last].join('/')}`)
    const trees = fc.sample(fc.tuple(textOf, textOf, textOf), 200).map((texts) => ({
      f: 'root',
      'd/f': 'd',
      'd/e/f': 'e',
      ...Object.fromEntries(texts.map((text, at) => [links[at] ?? '', linkTo(text)])),
    }))
    const opened = treesOf(trees)
    const paths = [
      ...places,
      ...links,
      ...links.flatMap((link) => ['f', 'e', 'l0', 'l1', 'e/f'].map((to) => `${link}/${to}`)),
    ]
    const asked = trees.flatMap((_, at) => paths.map((path) => `tree-${at}:${path}\n`))
    const command = ['git', '-C', gitdir, 'cat-file', '--batch-check=%(objectname)', '--follow-symlinks']
    const answers = runHere({ command, input: asked.join('') }).toString()
    // An answer has a second line for what leads out of the tree, to nothing or in circles.
    const found = answers
      .replaceAll(/^(?:symlink|dangling|loop|notdir) \d+\n.*\n/gm, 'none\n')
      .trimEnd()
      .split('\n')
    assert.equal(found.length, asked.length)
    let led = 0
    for (const [at, tree] of opened.entries()) {
      for (const [index, path] of paths.entries()) {
        const oid = found[at * paths.length + index] ?? ''
        const expected = /^[0-9a-f]{40}$/.test(oid) ? oid : undefined
        assert.equal(tree.entry(path)?.oid, expected, `${path} in ${JSON.stringify(trees[at])}`)
        led += expected !== undefined && path.includes('l') ? 1 : 0
      }
    }
    assert.ok(led > 20, `${led} links led somewhere`)
  })

  it('are followed up to eight times on a path, and not in circles', () => {
    const row = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`l${at + 1}`, linkTo(`l${at}`)]))
    const tree = treeOf({ ...row, l0: 'file', self: linkTo('.'), a: linkTo('b'), b: linkTo('a'), in: linkTo('in/x') })
    assert.equal(tree.entry('l8')?.way?.path, 'l0')
    assert.equal(tree.entry(`${'self/'.repeat(8)}l0`)?.way?.path, 'l0')
    for (const path of ['l9', `${'self/'.repeat(9)}l0`, 'self/l8', 'a', 'in', 'in/x'])
      assert.equal(tree.entry(path), undefined, path)
  })

  it('lead to nothing that is hidden, reserved, absolute, out of the tree or too far, and say so', () => {
    const good = {
      file: linkTo('docs/a.html'),
      folder: linkTo('./docs/'),
      up: linkTo('docs/../docs'),
      'docs/root': linkTo('..'),
      known: linkTo('.well-known/x.txt'),
      records: linkTo('collections/shop.html'),
    }
    const bad = {
      absolute: linkTo('/docs/a.html'),
      out: linkTo('../docs/a.html'),
      through: linkTo('docs/a.html/../a.html'),
      slash: linkTo('docs/a.html/'),
      gone: linkTo('docs/gone.html'),
      hidden: linkTo('.pages'),
      'hidden-file': linkTo('.pages/x.html'),
      'through-hidden': linkTo('.pages/../docs/a.html'),
      rules: linkTo('_headers'),
      record: linkTo('collections/r.json'),
      long: linkTo(`${'docs/../'.repeat(40)}docs`),
      longer: linkTo('d'.repeat(5000)),
      sub: linkTo('module'),
      _redirects: linkTo('docs/a.html'),
      '.hidden.html': linkTo('docs/a.html'),
    }
    const tree = treeOf({
      ...good,
      ...bad,
      module: { mode: '160000', bytes: '1'.repeat(40) },
      _headers: '/*',
      'docs/a.html': 'a',
      '.pages/x.html': 'hidden',
      '.well-known/x.txt': 'x',
      'collections/r.json': '{}',
      'collections/shop.html': 'shop',
    })
    for (const path of Object.keys(good)) assert.equal(whyNoAlias(path, tree.entry(path)), undefined, path)
    for (const path of Object.keys(bad)) assert.match(whyNoAlias(path, tree.entry(path)) ?? '', /Push the file/, path)
    for (const path of ['docs/root/_headers', 'docs/root/.pages/x.html', 'docs/root/collections/r.json'])
      assert.equal(tree.entry(path), undefined, path)
    assert.equal(tree.entry('docs/root/collections/shop.html')?.way?.path, 'collections/shop.html')
  })
})
