// `npm run faults [-- name …]`: harms a running service in every known way and counts lost writes.
// Exit code 1 if an acknowledged write was lost or another promise broken, 2 for an unknown name.

import { printTable } from '../../src/cli/terminal/table.js'
import { endBySignals } from '../servers/at-end.js'
import { besideDeploys } from './sweeps/beside-deploys.js'
import { brokenRepositories } from './programs/broken-repositories.js'
import { checkpoints } from './programs/checkpoints.js'
import { corruptBackups } from './programs/corrupt-backups.js'
import { deploys } from './sweeps/deploys.js'
import { damagedCatalog } from './programs/damaged-catalog.js'
import { errorSweep } from './sweeps/error-sweep.js'
import { fsckBesideWriters } from './sweeps/fsck-beside-writers.js'
import { fullDisk } from './programs/full-disk.js'
import { hostileTrees } from './programs/hostile-trees.js'
import { killSweep } from './sweeps/kill-sweep.js'
import { linearizability } from './programs/linearizability.js'
import { findMissing } from './ground/needs.js'
import { neighbours } from './programs/neighbours.js'
import { lostStandby } from './nodes/lost-standby.js'
import { failingNodes } from './nodes/nodes.js'
import { rollingRestart } from './nodes/rolling-restart.js'
import { upgrade } from './nodes/upgrade.js'
import { fewDescriptors } from './programs/few-descriptors.js'
import { noDescriptors } from './programs/no-descriptors.js'
import { pushesOnFullDisk } from './pushes/full-disk.js'
import { pushErrors, pushKills } from './pushes/push-sweep.js'
import { httpAndPath } from './pushes/http-and-path.js'
import { pushers } from './pushes/pushers.js'
import { operators, operatorsEverywhere } from './programs/operators.js'
import { powerCut } from './programs/power-cut.js'
import type { FaultProgram } from './program.js'
import { smuggling } from './smuggling/smuggling.js'
import { requestErrors, requestKills } from './sweeps/request-sweep.js'
import { sameTree } from './sweeps/same-tree.js'
import { restarts } from './programs/restarts.js'
import { Tally } from './judges/tally.js'

const PROGRAMS: readonly FaultProgram[] = [
  killSweep,
  errorSweep,
  requestKills,
  requestErrors,
  pushKills,
  pushErrors,
  pushesOnFullDisk,
  fullDisk,
  deploys,
  besideDeploys,
  fsckBesideWriters,
  sameTree,
  fewDescriptors,
  noDescriptors,
  powerCut,
  restarts,
  linearizability,
  operators,
  operatorsEverywhere,
  pushers,
  brokenRepositories,
  damagedCatalog,
  checkpoints,
  corruptBackups,
  hostileTrees,
  httpAndPath,
  smuggling,
  neighbours,
  failingNodes,
  lostStandby,
  rollingRestart,
  upgrade,
]

endBySignals()
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !PROGRAMS.some((program) => program.name === name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}. There is:`)
  for (const { name, about } of PROGRAMS) console.error(`  ${name}: ${about}`)
  process.exitCode = 2
} else {
  await runAll(PROGRAMS.filter(({ name }) => wanted.length === 0 || wanted.includes(name)))
}

async function runAll(programs: readonly FaultProgram[]): Promise<void> {
  const rows: string[][] = []
  for (const program of programs) rows.push(await runOne(program))
  printTable(['program', 'cases', 'not reached', 'acknowledged', 'lost', 'other violations', 'seconds'], rows)
}

/** Runs the program and answers its row of the table. */
async function runOne(program: FaultProgram): Promise<string[]> {
  const missing = findMissing(program.needs)
  if (missing !== undefined) {
    console.log(`${program.name}: skipped, ${missing}`)
    return [program.name, 'skipped', '', '', '', '', '']
  }
  console.log(`${program.name}: ${program.about}`)
  const tally = new Tally(program.name)
  try {
    await program.run(tally)
  } catch (error) {
    tally.violate(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  tally.end()
  console.log(tally.summary)
  if (tally.lost + tally.violations > 0) process.exitCode = 1
  return tally.row
}
