// The real process as an operator starts it, `palimpsest serve`, which tests may signal and kill; and the other commands.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, rmSync } from 'node:fs'
import { MAIN, type Outcome, runCommand } from './commands.js'
import { judgeDataDir } from '../support/second-judge.js'
import { type ApiClient, clientOf } from './client.js'
import { PATIENCE_MS } from '../support/within.js'

export { MAIN } from './commands.js'
export type Finished = Outcome

const START_LIMIT_MS = PATIENCE_MS

export interface ServeProcess {
  pid: number
  port: number
  origin: string
  /** Everything printed on standard output so far. */
  printed(): string
  /** Everything logged on standard error so far. */
  logged(): string
  signal(name: NodeJS.Signals): void
  /** Resolves when the process has ended. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  api(key: string): ApiClient
}

export interface ServeOptions {
  dataDir?: string
  cwd?: string
  main?: string
  env?: Record<string, string>
  /** Arguments of the command line, after `serve`. */
  args?: readonly string[]
  /** Descriptors that the process may have open, in all its life (`ulimit -n`). */
  maxDescriptors?: number | undefined
  /** The file that the log goes to; `logged()` stays empty then. */
  logTo?: string
}

const started = new Set<ChildProcess>()
/** Data directories of processes that were started since `endProcesses` last ran. */
const servedFolders = new Set<string>()

/** Resolves once the process says that it is ready. Rejects with its log if it ends before. */
export async function serve({
  dataDir = '',
  cwd,
  main = MAIN,
  env = {},
  args = [],
  maxDescriptors,
  logTo,
}: ServeOptions): Promise<ServeProcess> {
  const limit = maxDescriptors === undefined ? '' : `ulimit -n ${maxDescriptors}; `
  const child = spawn('/bin/sh', ['-c', `${limit}exec "$@"`, 'sh', process.execPath, main, 'serve', ...args], {
    ...(cwd !== undefined && { cwd }),
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      PORT: '0',
      DISK_RESERVE_BYTES: '0',
      LOG_LEVEL: 'warn',
      MAX_REQUESTS_PER_MINUTE: '0',
      ...env,
    },
    stdio: ['ignore', 'pipe', logTo === undefined ? 'pipe' : openSync(logTo, 'w')],
  })
  started.add(child)
  if (dataDir !== '') servedFolders.add(dataDir)
  let printed = ''
  let logged = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (logged += text))
  const ended = once(child, 'close').then(([code, signal]) => {
    started.delete(child)
    return { code: code as number | null, signal: signal as NodeJS.Signals | null }
  })
  const ready = new Promise<void>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`serve was not ready in time: ${logged}`))
    }, START_LIMIT_MS)
    child.stdout?.on('data', () => {
      if (!/is ready at \S+ .*\n/.test(printed)) return
      clearTimeout(late)
      resolve()
    })
    void ended.then(({ code, signal }) => {
      clearTimeout(late)
      reject(new Error(`serve ended with ${code ?? signal}: ${logged}`))
    })
  })
  await ready
  const port = Number(/is ready at \S+:(\d+)/.exec(printed)?.[1])
  const origin = `http://127.0.0.1:${port}`
  return {
    pid: child.pid ?? 0,
    port,
    origin,
    printed: () => printed,
    logged: () => logged,
    signal: (name) => void child.kill(name),
    ended,
    api: (key) => clientOf(origin, key),
  }
}

/** Ends every process that a failed test left, judges what was written, and removes these folders. */
export async function endProcesses(...made: readonly string[]): Promise<void> {
  const ends = Array.from(started, (child) => once(child, 'close'))
  for (const child of started) child.kill('SIGKILL')
  await Promise.all(ends)
  const folders = [...servedFolders]
  servedFolders.clear()
  for (const folder of folders) await judgeDataDir(folder)
  // Processes of a killed service end by themselves, and may write until then.
  for (const folder of made) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
}

/** Runs one command of the command line; `env` is added to this process's environment. Only `serve` has a process of its own. */
export function runPalimpsest(env: Record<string, string>, ...args: string[]): Promise<Finished> {
  const command = { args, env: { ...process.env, DISK_RESERVE_BYTES: '0', ...env } }
  return args[0] === 'serve' ? run(process.execPath, [MAIN, ...args], command) : runCommand(command)
}

/** Runs a program to its end and resolves for every exit code. */
export function run(
  program: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(program, args, { ...options, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 255
      resolve({ code, stdout, stderr })
    })
  })
}

/** A key made by the command line. */
export async function makeKey(dataDir: string, scopes = 'write'): Promise<string> {
  const { stdout, stderr, code } = await runPalimpsest({ DATA_DIR: dataDir }, 'keys', 'create', '--scopes', scopes)
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}
