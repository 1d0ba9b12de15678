// Programs of others that hold the tools to the protocol. They need a newer Node than the project does and are no dependencies of it,
// so they are fetched from npm, with their Node, into a folder that goes afterwards.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type Finished, run } from '../scenarios/serve-process.js'
import { installPackages, NODE_PACKAGE } from '../support/npm/install.js'
import { until } from '../support/within.js'

const PACKAGES: Readonly<Record<string, string>> = {
  [NODE_PACKAGE]: '22.23.3',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
  'mcp-remote': '0.15.1',
}
/** The limit for one command. */
const LIMIT_MS = 180_000
/** A link with which a program sends its person to the service. */
const LINK = /http:\/\/localhost:\d+\/oauth\/authorize\?\S+/

type Name = 'conformance' | 'mcp-inspector' | 'mcp-remote'

export interface Programs {
  run(name: Name, args: readonly string[]): Promise<Finished>
  /** Starts one that waits for its person, or for lines on its standard input. */
  start(name: Name, args: readonly string[], env?: Readonly<Record<string, string>>): StartedProgram
}

export interface StartedProgram {
  /** Everything printed so far. */
  out(): string
  err(): string
  write(line: string): void
  /** Resolves with the exit code. */
  ended: Promise<number | null>
  kill(): void
}

/** Throws with npm's words when they cannot be had. */
export async function fetchPrograms(folder: string): Promise<Programs> {
  await installPackages(folder, PACKAGES)
  const modules = join(folder, 'node_modules')
  const node = join(modules, NODE_PACKAGE, 'bin', 'node')
  const wordsOf = (name: Name, args: readonly string[]) => [join(modules, '.bin', name), ...args]
  return {
    run: async (name, args) => await run(node, wordsOf(name, args), { timeout: LIMIT_MS }),
    start(name, args, env = {}) {
      const child = spawn(node, wordsOf(name, args), { env: { ...process.env, ...env }, timeout: LIMIT_MS })
      const printed = { out: '', err: '' }
      child.stdout.setEncoding('utf8').on('data', (text: string) => (printed.out += text))
      child.stderr.setEncoding('utf8').on('data', (text: string) => (printed.err += text))
      return {
        out: () => printed.out,
        err: () => printed.err,
        write: (line) => void child.stdin.write(`${line}\n`),
        ended: once(child, 'close').then(([code]) => code as number | null),
        kill: () => void child.kill(),
      }
    },
  }
}

/** Waits for the link that a program prints for its person. Throws if the program ends before. */
export async function printedLink(program: StartedProgram): Promise<string> {
  let isOver = false
  void program.ended.then(() => (isOver = true))
  const printed = await until(
    () => program.out() + program.err(),
    (text) => LINK.test(text) || isOver,
  )
  const link = LINK.exec(printed)?.[0]
  if (link === undefined) throw new Error(`it asks for no consent: ${printed}`)
  return link
}
