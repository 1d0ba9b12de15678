// Pushes trees of any form to a site's repository by path, as its operator or a hostile one.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface PushedCommit {
  message?: string | Buffer
  files?: Readonly<Record<string, string | Buffer>>
  /** Instead of files: the oid of a whole tree, from `writeTree`. */
  tree?: string
}

/** Makes objects to push, by `mktree` and `hash-object` in a clone. */
export interface Objects {
  blob(content: string | Buffer): Promise<string>
  tree(lines: readonly string[]): Promise<string>
}

/**
 * Pushes the commits on top of main. Resolves with undefined if they were accepted, otherwise with the last line of the service's answer.
 * `make` gets a way to store objects that the commits refer to.
 */
export async function push(
  gitdir: string,
  make: readonly PushedCommit[] | ((objects: Objects) => Promise<PushedCommit[]>),
): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-bench-push-'))
  try {
    const clone = join(folder, 'clone.git')
    await run('git', ['clone', '--quiet', '--bare', '--no-hardlinks', gitdir, clone])
    const commits = typeof make === 'function' ? await make(objectsIn(clone)) : make
    const importing = spawn('git', ['-C', clone, 'fast-import', '--quiet', '--force'], {
      stdio: ['pipe', 'ignore', 'inherit'],
    })
    const done = once(importing, 'exit')
    for (const part of streamOf(commits)) if (!importing.stdin.write(part)) await once(importing.stdin, 'drain')
    importing.stdin.end()
    await done
    return await run('git', ['-C', clone, 'push', '--quiet', gitdir, 'main'], { maxBuffer: 1 << 24 }).then(
      () => undefined,
      (error: { stderr?: string }) => lastLine(error.stderr ?? 'git gave no reason'),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Stores any objects in a repository. */
export function objectsIn(clone: string): Objects {
  const feed = async (input: string | Buffer, ...args: string[]) => {
    const child = spawn('git', ['-C', clone, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (text) => (output += String(text)))
    child.stdin.end(input)
    await once(child, 'close')
    return output.trim()
  }
  return {
    blob: (content) => feed(content, 'hash-object', '-w', '--stdin'),
    tree: (lines) => feed(`${lines.join('\n')}\n`, 'mktree'),
  }
}

function* streamOf(commits: readonly PushedCommit[]): Generator<string | Buffer> {
  for (const [number, { message = `Push ${number}`, files = {}, tree }] of commits.entries()) {
    yield `commit refs/heads/main\ncommitter Bench <bench@example.org> ${1_700_000_000 + number} +0000\n`
    yield* data(message)
    if (number === 0) yield 'from refs/heads/main^0\n'
    if (tree !== undefined) yield `M 040000 ${tree} pushed\n`
    for (const [path, content] of Object.entries(files)) {
      yield `M 100644 inline ${path}\n`
      yield* data(content)
    }
  }
}

function* data(content: string | Buffer): Generator<string | Buffer> {
  yield `data ${Buffer.byteLength(content)}\n`
  yield content
  yield '\n'
}

function lastLine(text: string): string {
  const said = text.split('\n').filter((line) => line.startsWith('remote: ') && line.length > 10)
  return (said.at(0) ?? text).replace('remote: ', '').trim().slice(0, 80)
}
