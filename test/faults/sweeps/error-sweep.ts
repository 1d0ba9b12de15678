// The k-th system call of an operation fails, for k = 1, 2, … until the operation gets through. The service must refuse, go on
// serving, and do the same operation once the fault is gone, without a restart.

import { join } from 'node:path'
import { put } from '../../scenarios/client.js'
import type { Ground, Sent } from '../ground/ground.js'
import { KEY_CREATE, keyCreation, type Operation, OPERATIONS, type Trial } from './operations.js'
import { runInLanes } from './lanes.js'
import { Reach } from './plan.js'
import type { FaultProgram, Report } from '../program.js'
import {
  type CallsOf,
  ERRORS,
  everyCall,
  type Harm,
  type Hit,
  MAX_CALLS,
  nameOf,
  runHarmed,
  waysOf,
} from '../ground/strace.js'
import type { SeenCall } from '../ground/strace-log.js'

/** Statuses that a client may get: the disk is full, or it refused. */
const REFUSALS: ReadonlySet<number> = new Set([503, 507])
/**
 * Files without which everything acknowledged can be made again, or that only help people; and the catalog itself, into which SQLite copies
 * what its log (`catalog.db-wal`) holds and keeps until that succeeds.
 */
const EXPENDABLE = /\/index\/|\/logs\/|-shm|\/catalog\.db>/

export const errorSweep: FaultProgram = {
  name: 'error-sweep',
  about: 'each system call of the same operations fails with ENOSPC, EDQUOT, EIO and EMFILE',
  needs: ['strace'],
  async run(report) {
    const jobs = ERRORS.flatMap((harm) => [
      ...OPERATIONS.map((operation) => (ground: Ground) => sweepByError(ground, operation, harm, report)),
      (ground: Ground) => sweepKeyCreation(ground, harm, report),
    ])
    await runInLanes(jobs, report)
  },
}

/** Harms the calls that are asked for, as far as the operation makes them. */
export async function sweepByError(
  ground: Ground,
  operation: Operation,
  harm: Harm,
  report: Report,
  calls: CallsOf = everyCall(),
): Promise<void> {
  const acknowledged = new Map<string, Trial>()
  const { server } = ground
  await ground.visitUntouched()
  for (const way of waysOf(harm)) {
    const reach = new Reach()
    for (const chosen of calls(way)) {
      const hit: Hit = { harm, ...way, k: chosen.k }
      const id = nameOf(operation.name, hit)
      const trial = await operation.prepare(ground, id)
      report.begin(id)
      const struck = await failDuring(ground, trial, hit, id, report)
      acknowledged.set(id, trial)
      if (ground.server !== server) throw new Error('the service was started again')
      const isReached = reach.note(chosen, struck)
      if (!isReached && chosen.steps === undefined) break
      if (!isReached) report.miss(id)
    }
    for (const step of reach.missing) report.miss(`${operation.name}, ${harm.name}: ${step}`)
  }
  // The disk, and not the memory of the process, is asked.
  for (const damage of ground.slugs().flatMap((slug) => ground.damage(slug))) report.violate(damage)
  await ground.restart()
  for (const [id, trial] of acknowledged) if ((await trial.observe()) !== 'after') report.lose(id)
}

/** One operation under one fault, and once more without it. Answers the call that failed. */
async function failDuring(
  ground: Ground,
  trial: Trial,
  planned: Hit,
  id: string,
  report: Report,
): Promise<SeenCall | undefined> {
  const tracer = await ground.harm(planned)
  const sent = await trial.send().catch((error: unknown) => String(error))
  const trouble = await ground.troubleOfTheRest()
  const harmed = await tracer.detach()
  const hit = harmed?.line
  const wrong = wrongAnswer(sent, hit, trial.passesOver)
  if (wrong !== undefined) report.violate(`${id}: ${wrong}, at ${hit}`)
  if (trouble !== undefined) report.violate(`${id}: ${trouble}, at ${hit}`)
  const state = await trial.observe()
  const isDone = typeof sent === 'object' && sent.status < 300
  if (isDone && state !== 'after') report.lose(`${id}: ${state}, at ${hit}`)
  if (state === 'neither') report.violate(`${id}: half done, at ${hit}`)
  if (!isDone) await sendAgain(trial, { id, hit, state }, report)
  report.acknowledge()
  await writeNext(ground, trial, { id, hit }, report)
  return harmed
}

/** The next writes to the site, and to other repositories of the operation, remove what could not be removed. */
async function writeNext(
  ground: Ground,
  trial: Trial,
  { id, hit }: { id: string; hit: string | undefined },
  report: Report,
): Promise<void> {
  await put(ground.api, '/next-write', id)
  report.acknowledge()
  await trial.besides?.()
  for (const left of await ground.leftovers()) report.violate(`${id}: left ${left}, at ${hit}`)
}

/** The fault in the answer to an operation during which a call failed; undefined if there is none. */
function wrongAnswer(sent: Sent | string, hit: string | undefined, passesOver = EXPENDABLE): string | undefined {
  if (typeof sent === 'string') return sent
  if (sent.status < 300) {
    const mustFail = hit !== undefined && /^(?:pwrite64|rename|fsync|fdatasync)/.test(hit)
    return mustFail && !EXPENDABLE.test(hit) && !passesOver.test(hit) ? `answered ${sent.status}` : undefined
  }
  if (hit === undefined) return `refused without a fault: ${JSON.stringify(sent.body)}`
  return REFUSALS.has(sent.status) ? undefined : `answered ${sent.status} ${JSON.stringify(sent.body)}`
}

/** The fault is over: the same is done now, unless it was done already. */
async function sendAgain(
  trial: Trial,
  { id, hit, state }: { id: string; hit: string | undefined; state: string },
  report: Report,
): Promise<void> {
  const again = await trial.send()
  // A page that is deleted, or a site that is made, cannot be so twice.
  const wasDone = state === 'after' && (again.status === 404 || again.status === 409)
  if (again.status >= 300 && !wasDone) {
    report.violate(`${id}: afterwards ${again.status} ${JSON.stringify(again.body)}, at ${hit}`)
  }
  const now = await trial.observe()
  if (now !== 'after') report.lose(`${id}: sent again: ${now}, at ${hit}`)
}

async function sweepKeyCreation(ground: Ground, harm: Harm, report: Report): Promise<void> {
  const { dataDir } = ground
  const files = ['catalog.db', 'catalog.db-wal', 'catalog.db-shm'].map((name) => join(dataDir, name))
  for (const call of harm.calls) {
    for (let k = 1; k < MAX_CALLS; k++) {
      const hit: Hit = { harm, call, threads: 'all threads', k }
      const id = nameOf(KEY_CREATE, hit)
      report.begin(id)
      const creation = keyCreation(ground, id)
      const env = { ...process.env, DATA_DIR: dataDir }
      const run = await runHarmed(creation.command, hit, files, join(ground.folder, 'strace.log'), env)
      const key = run.stdout.trim()
      if ((run.code === 0) !== (key !== '')) report.violate(`${id}: exit code ${run.code}, key "${key}", at ${run.hit}`)
      if (key !== '') {
        report.acknowledge()
        if ((await creation.observe()) !== 'after') report.lose(`${id}, at ${run.hit}`)
        await ground.apiWith(key).get('/me').expect(200)
      }
      if (run.hit === undefined) break
    }
  }
}
