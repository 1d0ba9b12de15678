// A site with a random history, and git's own answers to the questions that the API answers about it. Metadata below `.pages/` is left out:
// a revert keeps the sidecar of a page that it removes, where git removes it.

import * as fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runHere } from '../../programs/shell.js'
import { git } from '../../support/git.js'

/** Pages by their paths, and their files in the tree. */
export const PAGES = { '/a': 'a.html', '/b': 'b.html', '/docs/': 'docs/index.html', '/docs/c': 'docs/c.html' } as const
const FILES = [...Object.values(PAGES), 'style.css']
/** The same merge of lines as in `git merge-file`, and no search for renames. */
const BY_PATH = ['--strategy=recursive', '-Xno-renames', '-Xdiff-algorithm=myers']
const LINES = Array.from({ length: 6 }, (_, at) => `line ${at}`)

export type PagePath = keyof typeof PAGES
/** One line of a text becomes another word. A missing text begins with plain lines. */
export interface Edit {
  line: number
  word: string
}
/** `back` counts from the newest version or commit, modulo their number. */
export type Step =
  | { kind: 'publish'; page: PagePath; edit: Edit }
  | { kind: 'unpublish'; page: PagePath }
  | { kind: 'roll back'; page: PagePath; back: number }
  | { kind: 'revert'; back: number }
  | { kind: 'push'; edits: [file: string, edit: Edit][] }
  | { kind: 'push a removal'; file: string }
  | { kind: 'push a rename'; from: string; to: string }

const page = fc.constantFrom(...(Object.keys(PAGES) as PagePath[]))
const file = fc.constantFrom(...FILES)
const edit = fc.record({ line: fc.nat(LINES.length - 1), word: fc.constantFrom('red', 'green', 'blue') })
const back = fc.nat(9)

export const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('publish'), page, edit }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('unpublish'), page }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('roll back'), page, back }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('revert'), back }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('push'),
        edits: fc.array(fc.tuple(file, edit), { minLength: 1, maxLength: 3 }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('push a removal'), file }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('push a rename'), from: file, to: file }) },
  ),
  { minLength: 4, maxLength: 12 },
)

/** A commit that changed one file, and the file's blob after it; undefined if it removed the file. */
export interface Change {
  commit: string
  blob: string | undefined
}

export class GitHistory {
  readonly #gitdir: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'palimpsest-history-'))
  readonly #clone = join(this.#folder, 'clone')

  constructor(gitdir: string) {
    this.#gitdir = gitdir
    git(this.#folder, 'clone', '--quiet', gitdir, this.#clone)
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Lists main's commits, the newest first, without the first one. */
  commits(): string[] {
    return git(this.#gitdir, 'log', '--first-parent', '--format=%H', 'main').split('\n').slice(0, -1)
  }

  /** Lists the commits that changed a file, the newest first. */
  changesOf(path: string): Change[] {
    const format = ['--first-parent', '--raw', '--no-abbrev', '--no-renames', '--format=%H']
    const printed = git(this.#gitdir, 'log', ...format, 'main', '--', path)
    return Array.from(
      printed.matchAll(/^([0-9a-f]{40})\n\n:\S+ \S+ \S+ (\S+) (\w)/gm),
      ([, commit = '', blob, letter]) => ({
        commit,
        blob: letter === 'D' ? undefined : blob,
      }),
    )
  }

  /** Whether a commit has a sidecar that holds the id of the page at a path. */
  hasSidecar(path: PagePath, commit: string): boolean {
    const sidecars = git(this.#gitdir, 'ls-tree', '-r', '--format=%(objectname)', commit, '--', '.pages/')
    const oids = sidecars.split('\n').filter(Boolean)
    return oids.some((oid) => git(this.#gitdir, 'cat-file', 'blob', oid).includes(`"path":"${path}"`))
  }

  /** Returns the text of a file in main, with one line replaced. */
  edited(path: string, { line, word }: Edit): string {
    const [newest] = this.changesOf(path)
    const text = newest?.blob === undefined ? LINES.join('\n') : git(this.#gitdir, 'cat-file', 'blob', newest.blob)
    return text.split('\n').with(line, word).join('\n')
  }

  /** Commits the change that `change` makes in a clone, and pushes it. Does nothing if it changes nothing. */
  push(change: (clone: string) => void): void {
    this.#update()
    change(this.#clone)
    git(this.#clone, 'add', '--all')
    if (git(this.#clone, 'status', '--porcelain') === '') return
    git(this.#clone, 'commit', '--quiet', '--message=By hand')
    git(this.#clone, 'push', '--quiet', 'origin', 'HEAD:main')
  }

  /** Lists the files of main, each with mode and blob. */
  content(): string[] {
    return contentIn(git(this.#gitdir, 'ls-tree', '-r', '-z', 'main')).content
  }

  /** Reverts commits by `git revert`, one after the other. Returns what it leaves, or the files that conflict. */
  reverted(commits: readonly string[]): { content: string[]; conflicts: string[] } {
    this.#update()
    try {
      if (commits.length > 0) git(this.#clone, 'revert', '--no-commit', ...BY_PATH, ...commits)
    } catch {
      // The index has the conflicts.
    }
    return contentIn(git(this.#clone, 'ls-files', '--stage', '-z'))
  }

  /** Returns commits that change nothing but this file, each on the parent of the commit that it stands for. */
  narrowed(path: string, changes: readonly Change[]): string[] {
    if (changes.length === 0) return []
    const stream = changes.map(({ commit, blob }, at) => {
      const line = blob === undefined ? `D ${path}` : `M 100644 ${blob} ${path}`
      const head = `commit refs/narrowed/${at}\nmark :${at + 1}\ncommitter Olga <olga@example.org> 1790000000 +0000\ndata 0\n`
      return `${head}from ${commit}^\n${line}\n`
    })
    const marks = changes.map((_, at) => `get-mark :${at + 1}\n`)
    this.#update()
    const command = ['git', '-C', this.#clone, 'fast-import', '--quiet', '--force']
    return runHere({ command, input: [...stream, ...marks].join('') })
      .toString()
      .trim()
      .split('\n')
  }

  #update(): void {
    git(this.#clone, 'fetch', '--quiet', 'origin')
    git(this.#clone, 'reset', '--quiet', '--hard', 'origin/main')
  }
}

/** Parses lines of `git ls-tree` and of `git ls-files --stage`, which has a stage above 0 for a conflict. */
function contentIn(listed: string): { content: string[]; conflicts: string[] } {
  const content: string[] = []
  const conflicts = new Set<string>()
  for (const entry of listed.split('\0')) {
    const [, mode = '', blob = '', stage = '0', path = ''] =
      /^(\d+) (?:blob )?(\w+)(?: (\d))?\t(.*)$/s.exec(entry) ?? []
    if (path === '' || path.startsWith('.pages/')) continue
    if (stage === '0') content.push(`${mode} ${blob} ${path}`)
    else conflicts.add(path)
  }
  return { content, conflicts: [...conflicts] }
}
