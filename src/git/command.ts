// Runs git's own tools. A command works only on the given repository, in any environment of the service. GIT_ variables are never passed
// on: GIT_DIR would override even -C.

import { spawnSync } from 'node:child_process'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { SERVING_NICENESS } from './priority.js'
import type { ProgramEnd } from './start-child.js'
import { startProgram } from './start-program.js'

/** A longer command is ended, unless its caller allows more. */
const MAX_MS = 10 * 60_000
/** Limit for commands that read or copy a whole repository. */
export const MAX_WHOLE_REPOSITORY_MS = 6 * 3600_000
/** A command that prints more is ended. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024
const NOTHING = Buffer.alloc(0)

export interface GitOptions {
  /** Current folder of the command. Default: that of the service. */
  cwd?: string
  maxMs?: number
  /**
   * Configuration in addition to the repository's own. `none`, the default, gives the same result on every machine.
   * `user` is for commands that talk to another repository: they may need credentials, a proxy, or `safe.directory`.
   */
  configuration?: 'none' | 'user'
  /** Folder for objects that the command makes. It can also read those of the repository, and moves no ref. */
  newObjects?: string
  /** Standard input. It is read to its end even if the command ends before; if it throws, the command is ended. */
  input?: AsyncIterable<Buffer> | Iterable<Buffer>
  /** Ends the command. */
  signal?: AbortSignal | undefined
  /** Whether programs that the command started end with it. A terminal's signals then reach none of them. */
  leadsGroup?: boolean
  /** A command that allocates more memory at once is ended. */
  maxAllocationBytes?: number
  /** Difference of its priority below that of the service (nice(1)). Default 0. */
  niceness?: number
}

/** Codes of commands that are ended here. */
const OWN_ENDS: ReadonlySet<string> = new Set(['ABORT_ERR', 'ENOBUFS', 'ETIMEDOUT'])

/** Thrown if git did not start, ran for too long, printed too much, or ended with an exit code other than 0. */
export class GitFailed extends Error {
  /** Undefined if git did not start or was ended. */
  readonly exitCode: number | undefined
  /** Whether something else killed git, such as the kernel when memory ran out: a retry may succeed. */
  readonly wasKilled: boolean
  /** Whether the system did not start git, such as for want of descriptors: a retry may succeed. */
  readonly isNotStarted: boolean
  readonly stdout: Buffer
  /** Everything that git printed: standard output, then standard error. */
  readonly output: string

  constructor(args: readonly string[], ended: Ended) {
    const stderr = ended.stderr.toString().trim()
    super(stderr || `git ${args.join(' ')} ${describe(ended)}`)
    this.name = 'GitFailed'
    this.exitCode = ended.exitCode
    this.wasKilled = ended.signal === 'SIGKILL'
    this.isNotStarted = ended.exitCode === undefined && ended.signal == null && !OWN_ENDS.has(ended.code ?? '')
    this.stdout = ended.stdout
    this.output = `${ended.stdout.toString()}${stderr}`.trim()
  }
}

/** The end of a command. */
interface Ended {
  exitCode: number | undefined
  /** Node's error code, if the command was ended or did not start. */
  code?: string | undefined
  signal?: string | null | undefined
  stdout: Buffer
  stderr: Buffer
}

/** Returns standard output of `git --git-dir=<gitdir> <args>`. Rejects with GitFailed, and with errors of its input. */
export async function runGit(gitdir: string, args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const { input = [], signal, niceness = 0, cwd, maxMs = MAX_MS, leadsGroup = false } = options
  const command = ['git', ...commandLine(gitdir, args)] as const
  const git = await startProgram({ command, niceness, env: environmentOf(gitdir, options), cwd, leadsGroup })
  let endedBy: string | undefined
  const stop = (why: string) => {
    endedBy ??= why
    git.kill('SIGTERM')
    // Processes started by git may hold them open.
    git.stdout.destroy()
    git.stderr.destroy()
  }
  const late = setTimeout(() => stop('ETIMEDOUT'), maxMs)
  const onAbort = () => stop('ABORT_ERR')
  signal?.addEventListener('abort', onAbort)
  if (signal?.aborted === true) onAbort()
  const feeding = feed(git.stdin, input)
  feeding.catch(() => stop('ABORT_ERR'))
  const printed = [git.stdout, git.stderr].map((stream) => collect(stream, () => stop('ENOBUFS')))
  const end = await git.ended
  const [stdout = NOTHING, stderr = NOTHING] = await Promise.all(printed)
  clearTimeout(late)
  signal?.removeEventListener('abort', onAbort)
  // The input may end or fail long after git ended.
  await feeding
  if (end.exitCode === 0 && endedBy === undefined) return stdout
  const how = endedBy === undefined ? endOf(end) : { exitCode: undefined, code: endedBy }
  throw new GitFailed(args, { ...how, stdout, stderr })
}

/** Collects a stream up to its end. Calls `onTooMuch` if that is more than a command may print. Does not reject. */
function collect(stream: Readable, onTooMuch: () => void): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes <= MAX_OUTPUT_BYTES) chunks.push(chunk)
    else onTooMuch()
  })
  stream.on('error', () => undefined)
  return new Promise((resolve) => {
    const end = () => resolve(Buffer.concat(chunks))
    if (stream.closed) end()
    else stream.once('close', end)
  })
}

async function feed(stdin: Writable, input: NonNullable<GitOptions['input']>): Promise<void> {
  // Ignored: the command's end says more than an error of its closed input.
  stdin.on('error', () => undefined)
  for await (const chunk of input) {
    if (stdin.writable) await new Promise<void>((resolve) => stdin.write(chunk, () => resolve()))
  }
  stdin.end()
}

/** Does the same while the calling thread waits. Throws GitFailed. */
export function runGitSync(gitdir: string, args: readonly string[], { maxMs }: Pick<GitOptions, 'maxMs'> = {}): Buffer {
  const { status, signal, error, stdout, stderr } = spawnSync('git', commandLine(gitdir, args), {
    timeout: maxMs ?? MAX_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
    env: environmentOf(gitdir, {}),
  })
  if (status === 0) return stdout
  const { code } = (error ?? {}) as NodeJS.ErrnoException
  throw new GitFailed(args, {
    exitCode: status ?? undefined,
    code,
    signal,
    stdout: stdout ?? NOTHING,
    stderr: stderr ?? NOTHING,
  })
}

/**
 * Yields standard output as git prints it. The last bytes come only after git has ended with exit code 0: without them the reader
 * knows that something is missing. Ending the loop early ends git. git runs below the priority of the service. Throws GitFailed.
 */
export async function* streamGit(gitdir: string, args: readonly string[]): AsyncGenerator<Buffer> {
  const command = ['git', ...commandLine(gitdir, args)] as const
  const git = await startProgram({ command, niceness: SERVING_NICENESS, env: environmentOf(gitdir, {}) })
  git.stdin.on('error', () => undefined).end()
  git.stderr.resume()
  try {
    let held: Buffer | undefined
    for await (const chunk of git.stdout as AsyncIterable<Buffer>) {
      if (held !== undefined) yield held
      held = chunk
    }
    const end = await git.ended
    if (end.exitCode !== 0) throw new GitFailed(args, { ...endOf(end), stdout: NOTHING, stderr: NOTHING })
    if (held !== undefined) yield held
  } finally {
    git.kill('SIGTERM')
  }
}

function commandLine(gitdir: string, args: readonly string[]): string[] {
  return [`--git-dir=${gitdir}`, ...args]
}

function environmentOf(gitdir: string, options: GitOptions): NodeJS.ProcessEnv {
  const { configuration = 'none', newObjects, maxAllocationBytes } = options
  const quarantine = newObjects === undefined ? {} : quarantineIn(path.join(gitdir, 'objects'), newObjects)
  // git's own limit, in bytes (wrapper.c).
  const memory = maxAllocationBytes === undefined ? {} : { GIT_ALLOC_LIMIT: String(maxAllocationBytes) }
  return { ...environment(configuration), ...quarantine, ...memory }
}

/** Returns git's environment. GIT_NO_REPLACE_OBJECTS: a pushed `refs/replace/` must not change what an oid stands for (git-replace). */
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
 * Returns variables so that git writes objects to one folder and reads both (gitrepository-layout). A quoted path may contain colons.
 * GIT_QUARANTINE_PATH tells hooks that they judge a push (git-receive-pack).
 */
function quarantineIn(objects: string, newObjects: string): NodeJS.ProcessEnv {
  const own = path.resolve(newObjects)
  const others = JSON.stringify(path.resolve(objects))
  return { GIT_OBJECT_DIRECTORY: own, GIT_QUARANTINE_PATH: own, GIT_ALTERNATE_OBJECT_DIRECTORIES: others }
}

function endOf({ exitCode, signal, code }: ProgramEnd): Omit<Ended, 'stdout' | 'stderr'> {
  return { exitCode: exitCode ?? undefined, code, signal }
}

function describe({ exitCode, code, signal }: Ended): string {
  if (code === 'ETIMEDOUT') return 'took too long and was ended'
  if (code === 'ENOBUFS') return 'printed too much and was ended'
  if (code === 'ENOENT') return 'did not start: is git on the PATH?'
  return `ended with ${exitCode ?? signal ?? code ?? 'an error'}`
}
