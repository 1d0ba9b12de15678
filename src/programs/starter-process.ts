// A process that starts programs for the service, since it is small: to start one, a process is copied, and stands still meanwhile. The
// programs get the connections of the service as their standard streams, so that no byte of theirs passes this process. They end with
// the service.

import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { MORE_FOR_A_PROGRAM, spawnAt } from '../git/priority.js'
import { killGroup, type Program } from '../git/start-program.js'
import { KILLED_FIRST } from '../threads/giving-way.js'
import { type FromStarter, readFirstLine, STREAMS, type StreamName, type ToStarter } from './messages.js'

const OOM_SCORE = '/proc/self/oom_score_adj'

/** A program that is to be started, or runs. */
interface Held {
  program?: Program
  streams: Map<StreamName, Socket>
  child?: ChildProcess
}

const [, , socketPath] = process.argv
const ownOomScore = existsSync(OOM_SCORE) ? readFileSync(OOM_SCORE, 'latin1') : '0'
const held = new Map<number, Held>()

// Terminals and supervisors signal all processes at once; the service decides when this one ends.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => undefined)
process.on('message', (message: ToStarter) => {
  if (message.type === 'start') hold(message.id, (one) => (one.program = message.program))
  else kill(message.id, message.signal)
})
process.once('disconnect', () => {
  for (const id of held.keys()) kill(id, 'SIGTERM')
  process.exit()
})

// A half of a connection stays open: the other end of it is the program's.
const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => undefined)
  socket.once('data', (bytes) => {
    const line = readFirstLine(String(bytes))
    if (line === undefined) socket.destroy()
    else take(socket, line.id, line.name)
  })
})
server.once('error', () => process.exit(1))
server.listen(socketPath, () => say({ type: 'ready' }))

function take(socket: Socket, id: number, name: StreamName): void {
  // The service gave up before the program was started.
  socket.once('end', () => kill(id, 'SIGKILL'))
  hold(id, ({ streams }) => streams.set(name, socket))
}

/** Starts the program once all that it needs has come, in whatever order. */
function hold(id: number, change: (one: Held) => void): void {
  let one = held.get(id)
  if (one === undefined) held.set(id, (one = { streams: new Map() }))
  change(one)
  if (one.program !== undefined && one.streams.size === STREAMS.length) start(id, one, one.program)
}

function start(id: number, one: Held, { command, niceness = 0, env, cwd }: Program): void {
  const streams = STREAMS.flatMap((name) => one.streams.get(name) ?? [])
  const end = (exitCode: number | null, signal: string | null, code?: string) => {
    held.delete(id)
    say({ type: 'ended', id, end: { exitCode, signal, ...(code !== undefined && { code }) } })
  }
  try {
    one.child = whileKilledFirst(() =>
      spawnAt(niceness, command, { stdio: streams, env, cwd, detached: true }, MORE_FOR_A_PROGRAM),
    )
    one.child.once('spawn', () => say({ type: 'started', id, pid: one.child?.pid ?? 0 }))
    one.child.once('exit', end)
    one.child.once('error', (error: NodeJS.ErrnoException) => end(null, null, error.code ?? error.message))
  } catch (error) {
    end(null, null, error instanceof Error && 'code' in error ? String(error.code) : String(error))
  }
  // Nobody but the program holds them from here on.
  for (const stream of streams) stream.destroy()
}

/** What is started inherits that the kernel ends it first where memory is used up. This process is not among those: its end is that of all. */
function whileKilledFirst<T>(work: () => T): T {
  setOomScore(String(KILLED_FIRST))
  try {
    return work()
  } finally {
    setOomScore(ownOomScore)
  }
}

function setOomScore(score: string): void {
  try {
    writeFileSync(OOM_SCORE, score)
  } catch {
    // Not on Linux.
  }
}

/** One that has not started does not start any more. */
function kill(id: number, signal: NodeJS.Signals): void {
  const one = held.get(id)
  if (one === undefined) return
  if (one.child === undefined) {
    held.delete(id)
    for (const stream of one.streams.values()) stream.destroy()
  } else if (one.child.pid !== undefined) killGroup(one.child.pid, signal)
}

/** Where the service has just been killed nobody hears it: the programs are ended once that is noticed. */
function say(message: FromStarter): void {
  if (process.connected) process.send?.(message, () => undefined)
}
