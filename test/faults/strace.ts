// Harm at exactly the k-th system call of a process, by strace's injection (strace(1), "Tampering").

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'

/** Calls that change a disk, or open a file to do so. */
const CHANGING =
  'openat,write,pwrite64,ftruncate,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat,fsync,fdatasync'

/**
 * What happens, and to which calls. strace counts the calls of each thread for itself, so what a thread does after it waited
 * for another is reached only by a sweep over that thread alone.
 */
export interface Harm {
  /** For people: `SIGKILL`, `ENOSPC`. */
  name: string
  calls: string
  effect: string
  /** From the k-th call on, until the harm is taken away. */
  lasting?: true
}

export type Threads = 'all threads' | 'serving thread'
export const THREADS: readonly Threads[] = ['all threads', 'serving thread']

export const KILL: Harm = { name: 'SIGKILL', calls: CHANGING, effect: 'signal=KILL' }

/** `write` is left out: threads wake one another by it. Files of the service are written with pwrite64. */
const FAILING = CHANGING.replace('write,', '')
/** What takes room. */
const GROWING = FAILING.replace('unlink,unlinkat,rmdir,', '')

export const ERRORS: readonly Harm[] = [
  { name: 'ENOSPC', calls: GROWING.replace('openat,', ''), effect: 'error=ENOSPC', lasting: true },
  { name: 'EDQUOT', calls: GROWING, effect: 'error=EDQUOT' },
  { name: 'EIO', calls: `${FAILING},pread64`, effect: 'error=EIO' },
  { name: 'EMFILE', calls: 'openat', effect: 'error=EMFILE' },
]

const LETTING_GO_MS = 1000

export interface Attached {
  /** Lets go of the process, and answers the call that was hit first; undefined when there was none. */
  detach(): Promise<string | undefined>
}

/** Resolves once strace is attached: from here on calls count, from 1. */
export async function attach(pid: number, harm: Harm, threads: Threads, k: number, log: string): Promise<Attached> {
  const scope = threads === 'all threads' ? ['-f'] : []
  const tracer = spawn('strace', [...scope, ...optionsOf(harm, k, log), '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(tracer, 'exit')
  const [said] = (await once(tracer.stderr, 'data')) as [Buffer]
  if (!said.toString().includes('attached')) throw new Error(said.toString())
  tracer.stderr.resume()
  return {
    async detach() {
      if (!isDead(pid)) tracer.kill('SIGINT')
      // strace waits for ever where its process dies while it lets go.
      const hangs = setTimeout(() => tracer.kill('SIGKILL'), LETTING_GO_MS)
      await ended
      clearTimeout(hangs)
      return readHit(log)
    },
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

/** A command run to its end with its k-th call on one of `paths` harmed. */
export async function runHarmed(
  command: readonly string[],
  harm: Harm,
  k: number,
  paths: readonly string[],
  log: string,
  env: NodeJS.ProcessEnv,
): Promise<{ code: number | null; stdout: string; hit: string | undefined }> {
  const only = paths.flatMap((path) => ['-P', path])
  const child: ChildProcess = spawn('strace', ['-f', ...optionsOf(harm, k, log), ...only, ...command], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, hit: readHit(log) }
}

function optionsOf({ calls, effect, lasting }: Harm, k: number, log: string): string[] {
  const when = `${k}${lasting === true ? '+' : ''}`
  return ['-y', '-s', '0', '-e', `trace=${calls}`, '-e', `inject=${calls}:${effect}:when=${when}`, '-o', log]
}

/** The call, with the file that it was about. A killed process was in the middle of the last one its thread began. */
function readHit(log: string): string | undefined {
  if (!existsSync(log)) return undefined
  const lines = readFileSync(log, 'utf8').split('\n')
  rmSync(log)
  const failed = lines.find((line) => line.includes('(INJECTED)'))
  if (failed !== undefined) return failed.replace(/^\d+ +/, '')
  const killed = lines.findIndex((line) => line.includes('+++ killed by SIGKILL'))
  return killed < 0 ? undefined : (lines[killed - 1] ?? '').replace(/^\d+ +/, '')
}
