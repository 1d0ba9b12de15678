// What the service and the process that starts programs for it tell each other. The streams of a program travel beside: for each a
// connection to the process, whose first line names the program and the stream.

import { connect, type Socket } from 'node:net'
import type { Program, ProgramEnd } from '../git/start-program.js'

/** In the order of their descriptors. */
export const STREAMS = ['stdin', 'stdout', 'stderr'] as const
export type StreamName = (typeof STREAMS)[number]

/** What a program has printed, and nobody has read, may wait in memory up to this. */
const PRINTED_BYTES = 128 * 1024

export type ToStarter =
  /** The program starts once its three connections have come. */
  { type: 'start'; id: number; program: Program } | { type: 'kill'; id: number; signal: 'SIGTERM' | 'SIGKILL' }

export type FromStarter =
  | { type: 'ready' }
  /** What comes for its standard input from now on reaches it. */
  | { type: 'started'; id: number; pid: number }
  /** Also where it did not start. */
  | { type: 'ended'; id: number; end: ProgramEnd }

/** The service's end of a stream; `onError` is told why there is none. */
export function connectStream(
  socketPath: string,
  id: number,
  name: StreamName,
  onError: (error: Error) => void,
): Socket {
  // Every stream takes this (stream, "Buffering"); the types of sockets leave it out.
  const options = { path: socketPath, highWaterMark: PRINTED_BYTES }
  const stream = connect(options)
  stream.on('error', onError)
  stream.write(`${id} ${name}\n`)
  return stream
}

/** Undefined for what the service has not sent. */
export function readFirstLine(line: string): { id: number; name: StreamName } | undefined {
  const [, id, text] = /^(\d+) (\w+)\n$/.exec(line) ?? []
  const name = STREAMS.find((known) => known === text)
  return name === undefined ? undefined : { id: Number(id), name }
}
