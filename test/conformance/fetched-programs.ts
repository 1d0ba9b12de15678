// Programs of others that hold the tools to the protocol. They need a newer Node than the project does and are no dependencies of it,
// so they are fetched from npm, with their Node, into a folder that goes afterwards.

import { join } from 'node:path'
import { type Finished, run } from '../scenarios/serve-process.js'
import { installPackages, NODE_PACKAGE } from '../support/npm/install.js'

const PACKAGES: Readonly<Record<string, string>> = {
  [NODE_PACKAGE]: '22.23.3',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
  'mcp-remote': '0.15.1',
}
/** The limit for one command. */
const LIMIT_MS = 180_000

export type RunProgram = (name: 'conformance' | 'mcp-inspector', args: readonly string[]) => Promise<Finished>

/** Throws with npm's words when they cannot be had. */
export async function fetchPrograms(folder: string): Promise<RunProgram> {
  await installPackages(folder, PACKAGES)
  const modules = join(folder, 'node_modules')
  const node = join(modules, NODE_PACKAGE, 'bin', 'node')
  return async (name, args) => await run(node, [join(modules, '.bin', name), ...args], { timeout: LIMIT_MS })
}
