// Programs of others that are no dependencies of the project: fetched from npm, with the Node that they need, into a folder that goes
// afterwards.

import { run } from '../../scenarios/serve-process.js'

/** The package that holds `bin/node` for this machine. */
export const NODE_PACKAGE = `node-${process.platform}-${process.arch}`

const LIMIT_MS = 300_000
/** They are for the Node that comes with them, not for the one that fetches them. */
const OPTIONS = [
  '--engine-strict=false',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
  '--no-save',
  '--ignore-scripts',
]

/** Throws with npm's words when they cannot be had. */
export async function installPackages(folder: string, packages: Readonly<Record<string, string>>): Promise<void> {
  const wanted = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  const npm = await run('npm', ['install', '--prefix', folder, ...OPTIONS, ...wanted], { timeout: LIMIT_MS })
  if (npm.code !== 0) throw new Error(`npm install ${wanted.join(' ')}: ${npm.stderr}`)
}
