// Programs of others that hold the tools to the protocol. They need a newer Node than the project does and are no dependencies of it,
// so they are fetched from npm, with their Node, into a folder that goes afterwards.

import { join } from 'node:path'
import { type Finished, run } from '../scenarios/serve-process.js'

const NODE = `node-${process.platform}-${process.arch}`
const PACKAGES: Readonly<Record<string, string>> = {
  [NODE]: '22.23.3',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/inspector': '2.12.0',
}
const FETCH_LIMIT_MS = 300_000
/** For one command. */
const LIMIT_MS = 180_000

export type RunProgram = (name: 'conformance' | 'mcp-inspector', args: readonly string[]) => Promise<Finished>

/** Throws with npm's words when they cannot be had. */
export async function fetchPrograms(folder: string): Promise<RunProgram> {
  const wanted = Object.entries(PACKAGES).map(([name, version]) => `${name}@${version}`)
  // They are for the Node that comes with them, not for the one that fetches them.
  const options = [
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--no-save',
    '--ignore-scripts',
  ]
  const npm = await run('npm', ['install', '--prefix', folder, ...options, ...wanted], { timeout: FETCH_LIMIT_MS })
  if (npm.code !== 0) throw new Error(`npm install ${wanted.join(' ')}: ${npm.stderr}`)
  const modules = join(folder, 'node_modules')
  const node = join(modules, NODE, 'bin', 'node')
  return async (name, args) => await run(node, [join(modules, '.bin', name), ...args], { timeout: LIMIT_MS })
}
