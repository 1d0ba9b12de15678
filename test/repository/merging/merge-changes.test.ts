import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { diffTrees } from '../../../src/git/objects/diff.js'
import { hashObject } from '../../../src/git/objects/object.js'
import { DraftObjects } from '../../../src/git/storage/draft-objects.js'
import type { ObjectReader } from '../../../src/git/storage/object-reader.js'
import { ServiceError } from '../../../src/model/errors.js'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import { mergeChanges, type PathConflict } from '../../../src/repository/merging/merge-changes.js'
import { TextMerger } from '../../../src/repository/merging/text-merger.js'
import { WorkingTree } from '../../../src/repository/staging/working-tree.js'
import { git } from '../../support/git.js'
import { type Files, importCommits } from './import-commits.js'

/** `MERGES=2000 npm test -- test/repository/merging` tries more. */
const MERGES = Number(process.env['MERGES'] ?? 12)
const SITE = { id: '019a0000-0000-7000-8000-000000000001', slug: 'demo' }
/** `docs` is a file in some versions and a folder in others. */
const PATHS = ['a.html', 'b.css', 'docs', 'docs/x.css', 'docs/deep/y.txt', 'link', 'other/z.html']
/** Options for the same diff as in `git merge-file`, and no renames. */
const BY_PATH = ['--strategy=recursive', '-Xno-renames', '-Xdiff-algorithm=myers']
type Change = 'keep' | 'remove' | 'chmod' | 'link' | { line: number; word: string } | { text: string }

const word = fc.constantFrom('red', 'green', 'blue')
const change: fc.Arbitrary<Change> = fc.oneof(
  { arbitrary: fc.constant<Change>('keep'), weight: 3 },
  { arbitrary: fc.record({ line: fc.nat(9), word }), weight: 3 },
  fc.constantFrom<Change>('remove', 'chmod', 'link'),
  word.map((text): Change => ({ text: `${text}\n`.repeat(10) })),
)
const changes = fc.array(fc.tuple(fc.constantFrom(...PATHS), change), { maxLength: 6 })

describe('a merge of changes, path by path,', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-merging-'))
  const repositories = new DiskRepositories(dataDir)
  const gitdir = repositories.gitdir(SITE)
  const clone = join(dataDir, 'clone')

  before(() => {
    git(dataDir, 'init', '--quiet', '--bare', '--initial-branch=main', gitdir)
    git(dataDir, 'clone', '--quiet', '--shared', gitdir, clone)
  })
  after(() => rmSync(dataDir, { recursive: true, force: true }))

  it('gives the tree that git gives without renames, and the same conflicts', async () => {
    await fc.assert(
      fc.asyncProperty(changes, changes, changes, async (start, left, right) => {
        const base = changed(new Map(), [...PATHS.map((path) => [path, { text: path }] as const), ...start])
        const versions = [changed(base, right), base, changed(base, left)]
        const [theirs = '', before = '', ours = ''] = importCommits(gitdir, versions)
        const expected = revertByGit(clone, ours, before)
        const merged = await merge({ base: before, ours, theirs })
        if (typeof expected === 'string') assert.deepEqual(merged, { tree: expected, conflicts: [] })
        else assertSamePlaces(merged.conflicts, expected)
        if (merged.conflicts.length > 0) assert.equal(merged.tree, git(gitdir, 'rev-parse', `${ours}^{tree}`))
      }),
      { numRuns: MERGES },
    )
    assertNothingLeft()
  })

  it('merges more texts than one process takes', async () => {
    const versions = [many(60, 'b', 'a'), many(60, 'a', 'a'), many(60, 'a', 'b'), many(60, 'b', 'b')]
    const [theirs = '', base = '', ours = '', wanted] = importCommits(gitdir, versions)
    const tree = git(gitdir, 'rev-parse', `${wanted}^{tree}`)
    assert.deepEqual(await merge({ base, ours, theirs }), { tree, conflicts: [] })
    assertNothingLeft()
  })

  it('merges no more than 500 texts', async () => {
    const versions = [many(501, 'b', 'a'), many(501, 'a', 'a'), many(501, 'a', 'b')]
    const [theirs = '', base = '', ours = ''] = importCommits(gitdir, versions)
    const isTooCostly = (error: unknown) => error instanceof ServiceError && error.code === 'too_costly'
    await assert.rejects(merge({ base, ours, theirs }), isTooCostly)
  })

  it('merges no more texts once 50 conflict', async () => {
    const versions = [many(120, 'two', 'a'), many(120, 'one', 'a'), many(120, 'three', 'a')]
    const [theirs = '', base = '', ours = ''] = importCommits(gitdir, versions)
    const { conflicts } = await merge({ base, ours, theirs })
    assert.equal(conflicts.length, 50)
    assert.match(conflicts[0]?.hunks ?? '', /^<<<<<<< ours\nthree\n=======\ntwo\n>>>>>>> theirs\nline 0\n/)
    assertNothingLeft()
  })

  function assertNothingLeft(): void {
    // A merge without texts makes no folder.
    const scratch = join(gitdir, 'palimpsest')
    const names = existsSync(scratch) ? readdirSync(scratch) : []
    assert.deepEqual(
      names.filter((name) => name.startsWith('merge')),
      [],
    )
  }

  async function merge(commits: Record<'base' | 'ours' | 'theirs', string>) {
    const repository = repositories.open(SITE)
    try {
      return await mergeIn(repository.objects, commits)
    } finally {
      repository.close()
    }
  }

  async function mergeIn(objects: ObjectReader, { base, ours, theirs }: Record<'base' | 'ours' | 'theirs', string>) {
    const treeOf = (commit: string) => objects.readCommit(commit).tree
    const tree = new WorkingTree(objects, treeOf(ours))
    const merger = new TextMerger(gitdir, objects)
    const wanted = [...diffTrees(objects, treeOf(base), treeOf(theirs))]
    const conflicts = await mergeChanges(tree, wanted, merger)
    const made = new DraftObjects(objects, tree.flush())
    for (const [oid, text] of merger.made) assert.equal(hashObject('blob', text), oid)
    assert.ok(made.readTree(tree.root))
    return { tree: tree.root, conflicts }
  }
})

/** The tree that git leaves where it reverts `commit` on `head`; else the paths in which it finds a conflict. */
function revertByGit(clone: string, head: string, commit: string): string | string[] {
  git(clone, 'reset', '--quiet', '--hard', head)
  git(clone, 'clean', '--quiet', '--force', '-d')
  try {
    git(clone, 'revert', '--no-commit', ...BY_PATH, commit)
    return git(clone, 'write-tree')
  } catch {
    const unmerged = git(clone, 'ls-files', '--unmerged', '-z').split('\0').filter(Boolean)
    return unmerged.map((line) => line.slice(line.indexOf('\t') + 1))
  }
}

/** git names a file that it set aside by another name (`docs~HEAD`), and may name the folder for the file in it. */
function assertSamePlaces(conflicts: readonly PathConflict[], unmerged: readonly string[]): void {
  const found = unmerged.map((path) => path.replace(/~.*/, ''))
  const paths = conflicts.map(({ path }) => path)
  assert.ok(paths.length > 0, `git finds conflicts in ${found.join(', ')}`)
  const isAt = (path: string) => (other: string) =>
    path === other || path.startsWith(`${other}/`) || other.startsWith(`${path}/`)
  for (const path of found)
    assert.ok(paths.some(isAt(path)), `${path} conflicts in git, and not among ${paths.join(', ')}`)
  for (const path of paths) assert.ok(found.some(isAt(path)), `${path} conflicts, and not in git: ${found.join(', ')}`)
}

function changed(files: Files, list: readonly (readonly [string, Change])[]): Files {
  const next = new Map(files)
  for (const [path, what] of list) {
    const [mode, text] = next.get(path) ?? ['100644', linesOf(path, 'end')]
    if (what === 'remove') next.delete(path)
    else if (what === 'chmod') put(next, path, [mode === '100644' ? '100755' : '100644', text])
    else if (what === 'link') put(next, path, ['120000', `${path}-elsewhere`])
    else if (what !== 'keep' && mode === '120000') put(next, path, ['100644', linesOf(path, 'end')])
    else if (what !== 'keep') put(next, path, [mode, edited(text, what)])
  }
  return next
}

/** A file takes the place of a folder, and a folder that of a file. */
function put(files: Map<string, readonly [string, string]>, path: string, file: readonly [string, string]): void {
  for (const other of files.keys())
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) files.delete(other)
  files.set(path, file)
}

function many(count: number, first: string, last: string): Files {
  return new Map(Array.from({ length: count }, (_, at) => [`${at}.css`, ['100644', linesOf(first, `${last} ${at}`)]]))
}

function edited(text: string, what: { line: number; word: string } | { text: string }): string {
  if ('text' in what) return linesOf(what.text, 'end')
  const lines = text.split('\n')
  // A former link has one line.
  return lines.with(Math.min(what.line, lines.length - 1), what.word).join('\n')
}

function linesOf(first: string, last: string): string {
  return `${first}\n${Array.from({ length: 8 }, (_, at) => `line ${at}\n`).join('')}${last}\n`
}
