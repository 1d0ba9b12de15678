// A process that runs commands of the command line one after another, as `palimpsest` runs each in a process of its own:
// the modules that they share are loaded once. Started by commands.ts.

import { Readable } from 'node:stream'
import { argv, cwd, env, execPath, stderr, stdout } from 'node:process'
import type { Command, Outcome } from './commands.js'

const [, , main = ''] = argv
const umask = process.umask()
let runs = 0

process.on('message', (command: Command) => void run(command).then((outcome) => process.send?.(outcome)))
process.once('disconnect', () => process.exit())

async function run(command: Command): Promise<Outcome> {
  const printed = { stdout: capture(stdout), stderr: capture(stderr) }
  const home = cwd()
  process.argv = [execPath, main, ...command.args]
  for (const name of Object.keys(env)) delete env[name]
  Object.assign(env, command.env)
  process.chdir(command.cwd ?? home)
  process.umask(umask)
  Object.defineProperty(process, 'stdin', { value: Readable.from([command.input ?? '']), configurable: true })
  process.exitCode = undefined
  // Another query is another module: the command line starts anew.
  await import(`${main}?run=${(runs += 1)}`)
  process.chdir(home)
  return { code: exitCode(), stdout: printed.stdout(), stderr: printed.stderr() }
}

function exitCode(): number {
  return Number(process.exitCode ?? 0)
}

/** Collects the text written to the stream, until the returned function is called for it. */
function capture(stream: NodeJS.WriteStream): () => string {
  const chunks: Uint8Array[] = []
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)
    const done = rest.find((argument) => typeof argument === 'function') as (() => void) | undefined
    if (done !== undefined) process.nextTick(done)
    return true
  }
  return () => {
    Reflect.deleteProperty(stream, 'write')
    stream.removeAllListeners('error')
    return Buffer.concat(chunks).toString()
  }
}
