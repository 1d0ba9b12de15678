// Starts programs through a process of its own, which is begun with the first program, replaced where it ends, and ends with the
// service. What runs when it ends is ended too.

import { type ChildProcess, fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import {
  killGroup,
  type Program,
  type ProgramEnd,
  type RunningProgram,
  startHere,
  type StartProgram,
  STARTER_ENDED,
} from '../git/start-program.js'
import { ENTRIES } from '../threads/entries.js'
import { connectStream, type FromStarter, type StreamName, type ToStarter } from './messages.js'

/** The process holds no more than the programs that run. */
const OPTIONS = ['--max-old-space-size=64', '--max-semi-space-size=1', '--v8-pool-size=1']
/** A process that is not ready by then is killed. */
const READY_MS = 10_000

export class ProgramStarter {
  readonly #socketPath: string
  #process: StarterProcess | undefined

  /** Whoever else used the path of the socket has ended. */
  constructor(socketPath: string) {
    this.#socketPath = socketPath
  }

  readonly start: StartProgram = async (program) => {
    if (this.#process?.hasEnded !== false) this.#process = new StarterProcess(this.#socketPath)
    return await this.#process.start(program)
  }

  /** Undefined before the first program. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Ends what still runs. */
  async close(): Promise<void> {
    await this.#process?.end()
  }
}

/** A program that was asked for, until it has ended. */
interface Asked {
  pid?: number
  onStarted: () => void
  onEnded: (end: ProgramEnd) => void
}

class StarterProcess {
  hasEnded = false
  readonly #socketPath: string
  readonly #child: ChildProcess
  readonly #ready: Promise<boolean>
  readonly #asked = new Map<number, Asked>()
  #onReady: (isReady: boolean) => void = () => undefined
  #lastId = 0

  constructor(socketPath: string) {
    this.#socketPath = socketPath
    this.#ready = new Promise((resolve) => (this.#onReady = resolve))
    rmSync(socketPath, { force: true })
    this.#child = fork(fileURLToPath(ENTRIES.starterProcess), [socketPath], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: OPTIONS,
    })
    const late = setTimeout(() => this.#child.kill('SIGKILL'), READY_MS)
    void this.#ready.then(() => clearTimeout(late))
    this.#child.on('message', (message: FromStarter) => this.#hear(message))
    this.#child.once('exit', () => this.#lose())
    // A process that could not be started emits no exit event.
    this.#child.on('error', () => this.#child.pid === undefined && this.#lose())
    // Programs that run have connections that keep the service alive.
    this.#child.unref()
    this.#child.channel?.unref()
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  async start(program: Program): Promise<RunningProgram> {
    // Without it, as on a disk that takes no socket, a program costs more and works as well.
    if (!(await this.#ready)) return await startHere(program)
    const id = ++this.#lastId
    let isStarted = false
    let onEnded: Asked['onEnded'] = () => undefined
    const ended = new Promise<ProgramEnd>((resolve) => (onEnded = resolve))
    const started = new Promise<void>((resolve) => this.#asked.set(id, { onStarted: resolve, onEnded }))
    this.#tell({ type: 'start', id, program })
    const giveUp = ({ code, message }: NodeJS.ErrnoException) => {
      if (isStarted) return
      this.#tell({ type: 'kill', id, signal: 'SIGKILL' })
      this.#settle(id, { exitCode: null, code: code ?? message })
    }
    const connect = (name: StreamName) => connectStream(this.#socketPath, id, name, giveUp)
    const [stdin, stdout, stderr] = [connect('stdin'), connect('stdout'), connect('stderr')]
    // Its end is noticed only by reading; there is nothing to read.
    stdin.resume()
    isStarted = await Promise.race([started.then(() => true), ended.then(() => false)])
    if (!isStarted) for (const stream of [stdin, stdout, stderr]) stream.destroy()
    return { stdin, stdout, stderr, ended, kill: (signal) => this.#tell({ type: 'kill', id, signal }) }
  }

  /** Resolves once the process has ended, and told its programs to end. */
  async end(): Promise<void> {
    if (this.hasEnded) return
    const exit = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.ref()
    if (this.#child.connected) this.#child.disconnect()
    await exit
  }

  #hear(message: FromStarter): void {
    if (message.type === 'ready') return this.#onReady(true)
    if (message.type === 'ended') return this.#settle(message.id, message.end)
    const asked = this.#asked.get(message.id)
    if (asked === undefined) return
    asked.pid = message.pid
    asked.onStarted()
  }

  #settle(id: number, end: ProgramEnd): void {
    const asked = this.#asked.get(id)
    this.#asked.delete(id)
    asked?.onEnded(end)
  }

  #lose(): void {
    this.hasEnded = true
    this.#onReady(false)
    for (const [id, { pid }] of this.#asked) {
      // Nobody told that it ended, so the number is still its own.
      if (pid !== undefined) killGroup(pid, 'SIGKILL')
      this.#settle(id, { exitCode: null, code: STARTER_ENDED })
    }
  }

  #tell(message: ToStarter): void {
    if (this.#child.connected) this.#child.send(message, () => undefined)
  }
}
