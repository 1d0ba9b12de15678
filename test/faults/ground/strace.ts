// Harm at exactly the k-th system call of a process, by strace's injection (strace(1), "Tampering").

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findHarmed, readCalls, type SeenCall, takeLog } from './strace-log.js'

/**
 * An effect, and the calls that it may strike; calls with the same purpose form one group. strace counts each call of each thread:
 * so a sweep takes one call at a time, and the thread that waits for the others once more alone.
 */
export interface Harm {
  /** Its name in reports: `SIGKILL`, `ENOSPC`. */
  name: string
  calls: readonly string[]
  effect: string
  /** Limits the harm to calls about these files and folders, relative to the data directory. */
  on?: readonly string[]
  /** Strikes every call from the k-th on, until strace detaches. */
  lasting?: true
}

export type Threads = 'all threads' | 'serving thread'

/** The k-th call of one kind, in all threads or in one. */
export interface Hit {
  harm: Harm
  call: string
  threads: Threads
  k: number
}

const RENAME = 'rename,renameat,renameat2'
const LINK = 'link,linkat'
const UNLINK = 'unlink,unlinkat'
const MKDIR = 'mkdir,mkdirat'
/** Calls that databases and readers make in the serving thread. */
const OF_SERVING: ReadonlySet<string> = new Set([
  'read',
  'openat',
  'pwrite64',
  'pread64',
  'ftruncate',
  'fsync',
  'fdatasync',
])

export const KILL: Harm = {
  name: 'SIGKILL',
  calls: ['openat', 'write', 'pwrite64', 'ftruncate', RENAME, LINK, UNLINK, 'rmdir', MKDIR, 'fsync', 'fdatasync'],
  effect: 'signal=KILL',
}

/** Files whose reading and writing may fail by the calls that threads also use to wake one another. */
const SHORT_FILES = ['HEAD', 'config', 'packed-refs', 'refs/heads/main', 'logs/refs/heads/main']

/** `read` and `write` of known files only: threads wake one another by them. Most files are written with pwrite64. */
export const ERRORS: readonly Harm[] = [
  {
    name: 'ENOSPC',
    calls: ['pwrite64', 'ftruncate', RENAME, LINK, MKDIR, 'fsync', 'fdatasync'],
    effect: 'error=ENOSPC',
    lasting: true,
  },
  { name: 'EDQUOT', calls: ['openat', 'pwrite64', RENAME, LINK, MKDIR], effect: 'error=EDQUOT' },
  {
    name: 'EIO',
    calls: ['openat', 'pread64', 'pwrite64', 'ftruncate', RENAME, LINK, UNLINK, 'rmdir', MKDIR, 'fsync', 'fdatasync'],
    effect: 'error=EIO',
  },
  {
    name: 'EIO of refs',
    calls: ['read', 'write'],
    effect: 'error=EIO',
    on: ['demo.git', 'drafts/demo.git'].flatMap((gitdir) => SHORT_FILES.map((file) => `${gitdir}/${file}`)),
  },
  { name: 'EMFILE', calls: ['openat'], effect: 'error=EMFILE' },
]

/** Every pair of call and threads that a sweep with this harm tries. */
export function waysOf(harm: Harm): { call: string; threads: Threads }[] {
  return harm.calls.flatMap((call) => {
    const ways: { call: string; threads: Threads }[] = [{ call, threads: 'all threads' }]
    if (OF_SERVING.has(call)) ways.push({ call, threads: 'serving thread' })
    return ways
  })
}

/** A call that a sweep harms. */
export interface ChosenCall {
  /** Its number, from 1. */
  k: number
  /** The steps that threads make at this number; undefined in a sweep that goes on until it strikes nothing. */
  steps?: ReadonlySet<string>
}

/** Returns the calls that a sweep harms, of one kind and some threads. */
export type CallsOf = (way: Pick<Hit, 'call' | 'threads'>) => Iterable<ChosenCall>

/** An operation that makes more calls than this makes no progress. */
export const MAX_CALLS = 300

/** Names every `stride`-th call, until the operation makes no more. */
export function everyCall(stride = 1): CallsOf {
  return function* () {
    for (let k = 1; k < MAX_CALLS; k += stride) yield { k }
  }
}

/** A name for the case that may be part of a slug. */
export function nameOf(operation: string, { harm, call, threads, k }: Hit): string {
  const [first = ''] = call.split(',')
  return `${operation}-${harm.name}-${first}-${threads.slice(0, 1)}${k}`.replaceAll(' ', '-').toLowerCase()
}

const MAX_DETACHING_MS = 1000

export interface Watched {
  /** Detaches strace and answers the calls that it saw. */
  detach(): Promise<SeenCall[]>
}

export interface Attached {
  /** Detaches strace and answers the call that was hit first; undefined if none was. */
  detach(): Promise<SeenCall | undefined>
}

/** Resolves once strace is attached and counts calls, from 1. */
export async function attach(pid: number, hit: Hit, dataDir: string, log: string): Promise<Attached> {
  const scope = hit.threads === 'all threads' ? ['-f'] : []
  const detach = await trace(pid, [...scope, ...optionsOf(hit, log), ...onlyOn(hit.harm, dataDir)])
  return {
    async detach() {
      await detach()
      return findHarmed(takeLog(log), hit.k, dataDir)
    },
  }
}

/** Resolves once strace notes the calls that `harm` could strike. */
export async function watch(pid: number, harm: Harm, dataDir: string, log: string): Promise<Watched> {
  const calls = ['-f', '-y', '-s', '0', '-e', `trace=${harm.calls.join()}`, '-o', log]
  const detach = await trace(pid, [...calls, ...onlyOn(harm, dataDir)])
  return {
    async detach() {
      await detach()
      return readCalls(takeLog(log), dataDir)
    },
  }
}

function onlyOn({ on = [] }: Harm, dataDir: string): string[] {
  return on.flatMap((file) => ['-P', join(dataDir, file)])
}

/** Attaches strace. Returns how to detach it. */
async function trace(pid: number, options: readonly string[]): Promise<() => Promise<void>> {
  const tracer = spawn('strace', [...options, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(tracer, 'exit')
  const [said] = (await once(tracer.stderr, 'data')) as [Buffer]
  if (!said.toString().includes('attached')) throw new Error(said.toString())
  tracer.stderr.resume()
  return async () => {
    if (!isDead(pid)) tracer.kill('SIGINT')
    // strace never returns if its process dies while it detaches.
    const hangs = setTimeout(() => tracer.kill('SIGKILL'), MAX_DETACHING_MS)
    await ended
    clearTimeout(hangs)
  }
}

/** A killed process stays a zombie until strace has seen the end of each of its threads. */
export function isDead(pid: number): boolean {
  try {
    return /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return true
  }
}

/** Runs a command to its end with its k-th call on one of `paths` harmed. */
export async function runHarmed(
  command: readonly string[],
  hit: Hit,
  paths: readonly string[],
  log: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; stdout: string; hit: string | undefined }> {
  const only = paths.flatMap((path) => ['-P', path])
  const child: ChildProcess = spawn('strace', ['-f', ...optionsOf(hit, log), ...only, ...command], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, hit: findHarmed(takeLog(log), hit.k, '')?.line }
}

function optionsOf({ harm, call, k }: Hit, log: string): string[] {
  const when = `${k}${harm.lasting === true ? '+' : ''}`
  return ['-y', '-s', '0', '-e', `trace=${call}`, '-e', `inject=${call}:${harm.effect}:when=${when}`, '-o', log]
}
