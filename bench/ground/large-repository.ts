// Makes repositories with any number of pages and commits, fast: by one stream into `git fast-import`.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

export interface Growth {
  pages: number
  /** Commits after the first, which makes all the pages; each replaces one page. */
  commits: number
  /** Bytes of each page. */
  size?: number
  /** Text in each page: another text makes other files. */
  text?: string
  /** Number of folders for the pages, as in `pagePathOf`; default: one. */
  folders?: number
  /** Whether each commit becomes its own pack. */
  isScattered?: boolean
  /** Files added by a last commit, by path: bytes that are not compressed. */
  files?: Readonly<Record<string, () => Buffer>>
}

const COMMITTER = 'Bench <bench@example.org>'
const FIRST_SECOND = 1_700_000_000
/** Number of the first commit. */
const MARK_FIRST = 1
const FROM_MAIN = 'from refs/heads/main^0\n'
const NO_FILES: NonNullable<Growth['files']> = {}

/**
 * Makes a bare repository with a first commit of all the pages, or adds commits to an existing one.
 * Page n of `growth.pages` is at its `pagePathOf`, and its sidecar has the id `pageIdOf(n)`.
 */
export async function growRepository(
  gitdir: string,
  { pages, commits, size = 1024, text = '0', folders = 1, isScattered = false, files = NO_FILES }: Growth,
): Promise<void> {
  const isNew = !existsSync(gitdir)
  if (isNew) execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', gitdir])
  const settings = [
    '-c',
    'fastimport.unpackLimit=1',
    '-c',
    'core.fsync=none',
    ...(files === NO_FILES ? [] : ['-c', 'core.compression=0']),
  ]
  const args = ['-C', gitdir, ...settings, 'fast-import', '--quiet']
  const importer = spawn('git', args, { stdio: ['pipe', 'ignore', 'inherit'] })
  const done = once(importer, 'exit')
  for (const command of streamOf({ pages, commits, size, text, folders, isScattered, files }, isNew)) {
    if (!importer.stdin.write(command)) await once(importer.stdin, 'drain')
  }
  importer.stdin.end()
  const [code] = await done
  if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`)
}

export function pageIdOf(page: number): string {
  return `${(page % 256).toString(16).padStart(2, '0')}000000-0000-4000-8000-${page.toString(16).padStart(12, '0')}`
}

/** Returns the path without a leading slash and without an extension. */
export function pagePathOf(page: number, folders = 1): string {
  return folders === 1 ? `page-${page}` : `folder-${page % folders}/page-${page}`
}

function* streamOf(
  { pages, commits, size, text, folders, isScattered, files }: Required<Growth>,
  isNew: boolean,
): Generator<string | Buffer> {
  if (isNew) {
    yield commitOf(MARK_FIRST, 'Publish all', '')
    for (let page = 0; page < pages; page++) {
      const id = pageIdOf(page)
      const path = pagePathOf(page, folders)
      yield fileOf(`${path}.html`, htmlOf(page, text, size))
      yield fileOf(`.pages/${id.slice(0, 2)}/${id}.json`, `{"path":"/${path}","template":null,"title":"Page"}\n`)
    }
  }
  for (let commit = 1; commit <= commits; commit++) {
    const page = (commit * 7919) % pages
    const from = commit === 1 && !isNew ? FROM_MAIN : ''
    const path = pagePathOf(page, folders)
    yield commitOf(commit + MARK_FIRST, `Replace /${path}`, from)
    yield fileOf(`${path}.html`, htmlOf(page, String(commit + FIRST_SECOND * Math.random()), size))
    if (isScattered) yield 'checkpoint\n'
  }
  if (files === NO_FILES) return
  yield commitOf(commits + MARK_FIRST + 1, 'Add files', commits === 0 && !isNew ? FROM_MAIN : '')
  for (const [path, read] of Object.entries(files)) {
    const bytes = read()
    yield `M 100644 inline ${path}\ndata ${bytes.length}\n`
    yield bytes
    yield '\n'
  }
}

function commitOf(number: number, subject: string, from: string): string {
  const time = FIRST_SECOND + number
  return `commit refs/heads/main\ncommitter ${COMMITTER} ${time} +0000\n${dataOf(`${subject}\n`)}${from}`
}

function fileOf(path: string, content: string): string {
  return `M 100644 inline ${path}\n${dataOf(content)}`
}

function htmlOf(page: number, text: string, size: number): string {
  return `<!doctype html><title>Page ${page}</title><p>${text}`.padEnd(size, ' lorem ipsum')
}

function dataOf(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`
}
