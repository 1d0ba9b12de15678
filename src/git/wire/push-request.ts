// Reads a push as a client sends it over HTTP (gitprotocol-pack, "Reference Update Request and Packfile Transfer"): commands, then push
// options, then a pack.

import type { Oid } from '../objects/oid.js'
import { parseRefChange, type RefChange } from '../objects/ref-change.js'
import { MalformedPktLine, type PktLineReader, textOf } from './pkt-lines.js'

export interface PushRequest {
  /** The first commands, at most as many as were asked for. */
  commands: readonly RefChange[]
  commandCount: number
  capabilities: ReadonlySet<string>
  options: readonly string[]
  /** The first commits whose parents the client lacks (git clone --depth), at most one more than MAX_SHALLOWS. */
  shallows: readonly Oid[]
}

/** A clone has one for each line of history that is cut off. */
export const MAX_SHALLOWS = 1000

const MAX_LINES = 1_000_000
const MAX_OPTIONS = 100

/** Reads up to the pack, and keeps at most `maxCommands`. Rejects with MalformedPktLine. */
export async function readPushRequest(lines: PktLineReader, maxCommands: number): Promise<PushRequest> {
  const commands: RefChange[] = []
  let commandCount = 0
  let capabilities: ReadonlySet<string> = new Set()
  const shallows: Oid[] = []
  for await (const line of section(lines)) {
    if (line.subarray(0, 8).toString('latin1') === 'shallow ') {
      if (shallows.length <= MAX_SHALLOWS) shallows.push(parseShallow(line))
      continue
    }
    const end = line.indexOf(0)
    if (commandCount === 0 && end >= 0) capabilities = new Set(textOf(line.subarray(end + 1)).split(' '))
    commandCount++
    if (commandCount <= maxCommands) commands.push(parseCommand(end < 0 ? line : line.subarray(0, end)))
    else if ((commandCount += lines.skipHeld()) > MAX_LINES) throw endless()
  }
  const options: string[] = []
  if (commandCount > 0 && capabilities.has('push-options')) {
    for await (const line of section(lines)) {
      if (options.push(line.toString().replace(/\n$/, '')) > MAX_OPTIONS)
        throw new MalformedPktLine(`there are more than ${MAX_OPTIONS} push options`)
    }
  }
  return { commands, commandCount, capabilities, options, shallows }
}

/** Yields the lines up to the next flush-pkt. */
async function* section(lines: PktLineReader): AsyncGenerator<Buffer> {
  for (let count = 0; ; count++) {
    const line = await lines.next()
    if (line === undefined || line === 'flush') return
    if (!Buffer.isBuffer(line) || count === MAX_LINES) throw endless()
    yield line
  }
}

function endless(): MalformedPktLine {
  return new MalformedPktLine('the commands of a push do not end')
}

function parseShallow(line: Buffer): Oid {
  const [, oid] = /^shallow ([0-9a-f]{40})$/.exec(textOf(line)) ?? []
  if (oid === undefined) throw new MalformedPktLine('a line of the push is not "shallow <oid>"')
  return oid
}

function parseCommand(line: Buffer): RefChange {
  const change = parseRefChange(line.toString().replace(/\n$/, ''))
  if (change === undefined) throw new MalformedPktLine('a command of the push is not "<old> <new> <ref>"')
  return change
}
