// SIGKILL at the first system call of an operation, at the second, and so on until the operation gets through. After each the
// service is started again, and must have kept what it acknowledged and nothing by halves.

import { join } from 'node:path'
import { put } from '../../scenarios/client.js'
import type { Ground } from '../ground/ground.js'
import { KEY_CREATE, keyCreation, type Operation, OPERATIONS, type Trial } from './operations.js'
import { runInLanes } from './lanes.js'
import { Reach } from './plan.js'
import type { FaultProgram, Report } from '../program.js'
import {
  type CallsOf,
  everyCall,
  type Harm,
  type Hit,
  isDead,
  KILL,
  MAX_CALLS,
  nameOf,
  runHarmed,
  waysOf,
} from '../ground/strace.js'
import type { SeenCall } from '../ground/strace-log.js'

/** Milliseconds from the restart to the first write's answer. */
const MAX_FIRST_WRITE_MS = 2000

export const killSweep: FaultProgram = {
  name: 'kill-sweep',
  about:
    'kill -9 at each system call of create, replace, delete, rollback, record, batch, deploy, site create and delete, key create',
  needs: ['strace'],
  async run(report) {
    const ofOperations = OPERATIONS.map((operation) => (ground: Ground) => sweepByKill(ground, operation, KILL, report))
    await runInLanes([...ofOperations, (ground) => sweepKeyCreation(ground, report)], report)
  },
}

/** Kills at the calls that are asked for, as far as the operation makes them. */
export async function sweepByKill(
  ground: Ground,
  operation: Operation,
  harm: Harm,
  report: Report,
  calls: CallsOf = everyCall(),
): Promise<void> {
  const acknowledged = new Map<string, Trial>()
  for (const way of waysOf(harm)) {
    const reach = new Reach()
    for (const chosen of calls(way)) {
      const hit: Hit = { harm, ...way, k: chosen.k }
      const id = nameOf(operation.name, hit)
      const trial = await operation.prepare(ground, id)
      report.begin(id)
      const known = ground.firstParents()
      const { isDone, wasHit, harmed } = await killDuring(ground, trial, hit)
      if (isDone) acknowledged.set(id, trial)
      if (isDone) report.acknowledge()
      reach.note(chosen, harmed)
      if (!wasHit && chosen.steps === undefined) break
      if (wasHit) await judge(ground, trial, { id, isDone, known }, report)
      else report.miss(id)
    }
    for (const step of reach.missing) report.miss(`${operation.name}: ${step}`)
  }
  for (const damage of ground.slugs().flatMap((slug) => ground.damage(slug))) report.violate(damage)
  for (const [id, trial] of acknowledged) if ((await trial.observe()) !== 'after') report.lose(id)
}

interface Killed {
  /** Whether the operation was acknowledged. */
  isDone: boolean
  wasHit: boolean
  harmed: SeenCall | undefined
}

async function killDuring(ground: Ground, trial: Trial, hit: Hit): Promise<Killed> {
  const { pid } = ground.server
  const tracer = await ground.harm(hit)
  const status = await trial.send().then(
    (sent) => sent.status,
    () => undefined,
  )
  const harmed = await tracer.detach()
  // A kill after the answer may have happened while strace detached; only an answer proves that it did not.
  const wasHit = harmed !== undefined || isDead(pid) || !(await ground.isAlive())
  return { isDone: status !== undefined && status < 300, wasHit, harmed }
}

interface Case {
  id: string
  isDone: boolean
  /** The commits before the operation. */
  known: readonly string[]
}

async function judge(ground: Ground, trial: Trial, { id, isDone, known }: Case, report: Report): Promise<void> {
  // The repository as the dead process left it, before any repair.
  for (const slug of ground.slugs().filter((name) => name === 'demo' || name === id)) {
    for (const damage of ground.damage(slug)) report.violate(`${id}: ${damage}`)
  }
  await ground.restart()
  const trouble = await ground.troubleOfTheRest()
  if (trouble !== undefined) report.violate(`${id}: ${trouble}`)
  const state = await trial.observe()
  if (isDone && state !== 'after') report.lose(`${id}: ${state}`)
  if (state === 'neither') report.violate(`${id}: half done`)
  const history = new Set(ground.firstParents())
  for (const commit of known) if (!history.has(commit)) report.lose(`${id}: the commit ${commit}`)
  if (trial.goesOn === true) {
    const { status, body } = await trial.send()
    if (status >= 300) report.violate(`${id}: sent again: ${status} ${JSON.stringify(body)}`)
    if ((await trial.observe()) !== 'after') report.violate(`${id}: sent again, it is not done`)
  }
  await writeAtOnce(ground, id, report, trial.besides)
}

async function writeAtOnce(
  ground: Ground,
  id: string,
  report: Report,
  besides = async () => undefined as void,
): Promise<void> {
  const began = performance.now()
  await put(ground.api, '/first-write', id)
  const took = performance.now() - began
  if (took > MAX_FIRST_WRITE_MS) report.violate(`${id}: the first write took ${took} ms`)
  report.acknowledge()
  if ((await ground.visit('/first-write')) !== id) report.lose(`${id}: the first write after it`)
  await besides()
  for (const left of await ground.leftovers()) report.violate(`${id}: left ${left}`)
}

/** Does this for the command line while the service runs. A printed key counts as acknowledged. */
async function sweepKeyCreation(ground: Ground, report: Report): Promise<void> {
  const { dataDir } = ground
  const files = ['catalog.db', 'catalog.db-wal', 'catalog.db-shm'].map((name) => join(dataDir, name))
  for (const call of KILL.calls) {
    for (let k = 1; k < MAX_CALLS; k++) {
      const hit: Hit = { harm: KILL, call, threads: 'all threads', k }
      const id = nameOf(KEY_CREATE, hit)
      report.begin(id)
      const creation = keyCreation(ground, id)
      const log = join(ground.folder, 'strace.log')
      const run = await runHarmed(creation.command, hit, files, log, { ...process.env, DATA_DIR: dataDir })
      const key = run.stdout.trim()
      if (key !== '') {
        report.acknowledge()
        if ((await creation.observe()) !== 'after') report.lose(id)
        await ground.apiWith(key).get('/me').expect(200)
      }
      await writeAtOnce(ground, id, report)
      if (run.hit === undefined) break
    }
  }
}
