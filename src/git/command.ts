// Runs git's own tools. A command works on the repository that it is given and on no other, whatever environment the
// service was started in: GIT_ variables, of which GIT_DIR would beat even -C, are never passed on.

import { type ExecFileException, execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { niceCommand } from './priority.js'
import { startTurn } from './start-turn.js'

/** A command that takes longer is ended, unless its caller allows more. */
const MAX_MS = 10 * 60_000
/** For commands that read or copy a whole repository. */
export const MAX_WHOLE_REPOSITORY_MS = 6 * 3600_000
/** A command that prints more is ended. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024

export interface GitOptions {
  /** The current folder of the command; the service's own unless given. */
  cwd?: string
  maxMs?: number
  /**
   * The configuration that counts beside the repository's own. `none`, the default, gives the same result on every machine.
   * `user` is for commands that talk to another repository: they may need credentials, a proxy, or `safe.directory`.
   */
  configuration?: 'none' | 'user'
  /** Objects that the command makes go into this folder; it reads those of the repository beside them, and moves no ref. */
  newObjects?: string
  /** For its standard input. It is read to its end, also where the command ends before; where it throws, the command is ended. */
  input?: AsyncIterable<Buffer> | Iterable<Buffer>
  /** Ends the command. */
  signal?: AbortSignal
  /** A command that asks for more memory at once is ended. */
  maxAllocationBytes?: number
  /** How much lower than the service's own its priority is (nice(1)); not at all unless given. */
  niceness?: number
}

/** git did not start, ran for too long, printed too much, or ended with an exit code other than 0. */
export class GitFailed extends Error {
  /** Undefined when git did not start or was ended. */
  readonly exitCode: number | undefined
  readonly stdout: Buffer
  /** All that git printed: standard output, then standard error. */
  readonly output: string

  constructor(args: readonly string[], ended: Ended) {
    const stderr = ended.stderr.toString().trim()
    super(stderr || `git ${args.join(' ')} ${describe(ended)}`)
    this.name = 'GitFailed'
    this.exitCode = ended.exitCode
    this.stdout = ended.stdout
    this.output = `${ended.stdout.toString()}${stderr}`.trim()
  }
}

/** How a command ended. */
interface Ended {
  exitCode: number | undefined
  /** Node's error code, where the command was ended or did not start. */
  code?: string | undefined
  signal?: string | null | undefined
  stdout: Buffer
  stderr: Buffer
}

/** Standard output of `git --git-dir=<gitdir> <args>`. Rejects with GitFailed, and with what its input throws. */
export async function runGit(gitdir: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const [program, ...words] = niceCommand(['git', ...commandLine(gitdir, args)], options.niceness ?? 0)
  const { input = [], signal } = options
  await startTurn()
  let feeding = Promise.resolve()
  const running = new Promise<Buffer>((resolve, reject) => {
    const child = execFile(
      program,
      words,
      { ...execOptions(gitdir, options), encoding: 'buffer', ...(signal && { signal }) },
      (error, stdout, stderr) => {
        if (error === null) resolve(stdout)
        else reject(new GitFailed(args, { ...endOf(error), stdout, stderr }))
      },
    )
    if (child.stdin !== null) feeding = feed(child.stdin, input)
    feeding.catch(() => child.kill())
  })
  const [fed, ended] = await Promise.allSettled([feeding, running])
  if (fed.status === 'rejected') throw fed.reason
  if (ended.status === 'rejected') throw ended.reason
  return ended.value
}

async function feed(stdin: Writable, input: NonNullable<GitOptions['input']>): Promise<void> {
  // How the command ended says more than that it no longer reads.
  stdin.on('error', () => undefined)
  for await (const chunk of input) {
    if (stdin.writable) await new Promise<void>((resolve) => stdin.write(chunk, () => resolve()))
  }
  stdin.end()
}

/** The same, while the calling thread waits. Throws GitFailed. */
export function runGitSync(gitdir: string, args: readonly string[], options: GitOptions = {}): Buffer {
  const { status, signal, error, stdout, stderr } = spawnSync(
    'git',
    commandLine(gitdir, args),
    execOptions(gitdir, options),
  )
  if (status === 0) return stdout
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  const nothing = Buffer.alloc(0)
  throw new GitFailed(args, {
    exitCode: status ?? undefined,
    code,
    signal,
    stdout: stdout ?? nothing,
    stderr: stderr ?? nothing,
  })
}

/**
 * Standard output as git prints it. The last bytes come only after git has ended with exit code 0: without them the reader
 * knows that something is missing. Ending the loop early ends git. Throws GitFailed.
 */
export async function* streamGit(gitdir: string, args: readonly string[]): AsyncGenerator<Buffer> {
  await startTurn()
  const git = spawn('git', commandLine(gitdir, args), { stdio: ['ignore', 'pipe', 'ignore'], env: environment('none') })
  await once(git, 'spawn')
  const ended = once(git, 'exit')
  // Unhandled otherwise when the reader stops early.
  ended.catch(() => undefined)
  try {
    let held: Buffer | undefined
    for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
      if (held !== undefined) yield held
      held = chunk
    }
    const [exitCode, signal] = (await ended) as [number | null, string | null]
    const nothing = Buffer.alloc(0)
    if (exitCode !== 0)
      throw new GitFailed(args, { exitCode: exitCode ?? undefined, signal, stdout: nothing, stderr: nothing })
    if (held !== undefined) yield held
  } finally {
    git.kill()
  }
}

function commandLine(gitdir: string, args: readonly string[]): string[] {
  return [`--git-dir=${gitdir}`, ...args]
}

function execOptions(gitdir: string, options: GitOptions) {
  const { cwd, maxMs = MAX_MS, configuration = 'none', newObjects, maxAllocationBytes } = options
  const limits = { timeout: maxMs, maxBuffer: MAX_OUTPUT_BYTES }
  const quarantine = newObjects === undefined ? {} : quarantineIn(gitdir, newObjects)
  // git's own limit, in bytes (wrapper.c).
  const memory = maxAllocationBytes === undefined ? {} : { GIT_ALLOC_LIMIT: String(maxAllocationBytes) }
  const env = { ...environment(configuration), ...quarantine, ...memory }
  return { ...limits, env, ...(cwd !== undefined && { cwd }) }
}

/** GIT_NO_REPLACE_OBJECTS: a pushed `refs/replace/` must not change what an oid stands for (git-replace). */
export function environment(configuration: 'none' | 'user'): NodeJS.ProcessEnv {
  const rules = { LC_ALL: 'C', GIT_NO_REPLACE_OBJECTS: '1' }
  if (configuration === 'user') {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))
    return { ...Object.fromEntries(inherited), ...rules }
  }
  const { PATH, TMPDIR } = process.env
  return { PATH, TMPDIR, ...rules, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
}

/**
 * gitrepository-layout: objects are written to the one folder, and read from both. A quoted path may hold colons. Hooks know by
 * GIT_QUARANTINE_PATH that they judge a push (git-receive-pack).
 */
function quarantineIn(gitdir: string, newObjects: string): NodeJS.ProcessEnv {
  const own = path.resolve(newObjects)
  const objects = JSON.stringify(path.resolve(gitdir, 'objects'))
  return { GIT_OBJECT_DIRECTORY: own, GIT_QUARANTINE_PATH: own, GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }
}

function endOf({ code, signal, killed }: ExecFileException): Omit<Ended, 'stdout' | 'stderr'> {
  if (typeof code === 'number') return { exitCode: code }
  return { exitCode: undefined, code: code ?? (killed === true ? 'ETIMEDOUT' : undefined), signal }
}

function describe({ exitCode, code, signal }: Ended): string {
  if (code === 'ETIMEDOUT') return 'took too long and was ended'
  if (code === 'ENOBUFS' || code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'printed too much and was ended'
  if (code === 'ENOENT') return 'did not start: is git on the PATH?'
  return `ended with ${exitCode ?? signal ?? code ?? 'an error'}`
}
