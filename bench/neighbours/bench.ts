// What a tenant's visitors, readers and publishers feel of another tenant that does its worst, attack by attack and all at
// once. *Quiet* is the same load beside an unrelated process that uses as much CPU time as the attack and its answers did.

import { setTimeout as delay } from 'node:timers/promises'
import { ATTACKS } from './attacks/table.js'
import type { FromAttacker, Outcome, ToAttacker } from './attacker.js'
import { HelperProcess } from './helper-process.js'
import type { Felt, Role, ToNeighbour } from './neighbour.js'
import { cpuSecondsOf, memoryMibOf } from './process-tree.js'
import { makeTenant, type TenantData } from './tenant.js'
import { makeMemoryGroup } from '../ground/memory-group.js'
import { runService, type RunningService } from '../ground/running-service.js'

const RUN_MS = Number(process.env['BENCH_SECONDS'] ?? 8) * 1000
const SETTLE_MS = 2000
const SAMPLE_MS = 250
const MIB = 1024 * 1024
const MAX_MORE_MIB = 384
const ROLES: readonly Role[] = ['visitor', 'reader', 'publisher']

interface Ground {
  service: RunningService
  bad: TenantData
  neighbour: HelperProcess<ToNeighbour>
}

interface Measured {
  felt: Felt
  /** CPU seconds a second of the service and of who attacks it. */
  cores: number
  moreMib: number
}

/** With BENCH_MEMORY_MIB the service is held to so much memory, and set up as a machine of 1 GB should be. */
const MEMORY_MIB = Number(process.env['BENCH_MEMORY_MIB'] ?? 0)
/** docs/configuration.md */
const OF_1_GB = {
  RECEIVE_BYTES: '67108864',
  QUEUE_BYTES: '33554432',
  PREVIEW_BYTES: '16777216',
  CACHE_BYTES: '33554432',
  MAX_CONNECTIONS: '2000',
}

const ALL = 'all'
/** Tenants, visitors and whoever attacks them do not share an address. */
const ATTACKERS_ADDRESS = '127.0.0.2'
const COLUMNS = ['attack', 'answer', 'visitor', 'reader', 'publisher', 'memory', 'targets met']

/**
 * Prints a table, a row after each attack. Names of attacks in BENCH_ATTACKS, separated by commas, choose some, and `all` all of them
 * at once; without it there are all these rows.
 */
export async function printNeighbours(): Promise<void> {
  const wanted = process.env['BENCH_ATTACKS']?.split(',')
  const attacks = ATTACKS.filter(({ name }) => wanted === undefined || wanted.includes(name))
  printRow(COLUMNS)
  printRow(COLUMNS.map(() => '---'))
  for (const attack of attacks) printRow(await benchAttack(`\`${attack.name}\`: ${attack.about}`, [attack.name]))
  const names = ATTACKS.map(({ name }) => name)
  if (wanted?.includes(ALL) !== false) printRow(await benchAttack('all of them at once', names))
}

function printRow(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

/** In a service of its own: what one attack leaves behind is not the next one's. */
async function benchAttack(what: string, names: readonly string[]): Promise<string[]> {
  const group = MEMORY_MIB > 0 ? makeMemoryGroup(MEMORY_MIB * MIB) : undefined
  if (MEMORY_MIB > 0 && group === undefined) throw new Error('the kernel makes no group with a limit of memory here')
  const service = await runService(group && { under: group.enter, env: OF_1_GB })
  const neighbour = new HelperProcess<ToNeighbour>('neighbour')
  const attacker = new HelperProcess<ToAttacker>('attacker')
  try {
    const [bad, good] = [await makeTenant(service, 'bad'), await makeTenant(service, 'good')]
    await neighbour.ask({ prepare: { tenant: good, slug: 'good' } })
    const ground = { service, bad, neighbour }
    const alone = await measure(ground, async () => undefined)
    await attacker.ask<FromAttacker>({ prepare: { tenant: { ...bad, localAddress: ATTACKERS_ADDRESS }, names } })
    await delay(SETTLE_MS)
    let outcomes: Outcome[] = []
    const beside = await measure(
      ground,
      async () => {
        const answer = await attacker.ask<FromAttacker>({ runForMs: RUN_MS })
        if ('outcomes' in answer) outcomes = answer.outcomes
      },
      attacker,
    )
    await attacker.end()
    await delay(SETTLE_MS)
    const quiet = await besideBurners(beside.cores - alone.cores, () => measure(ground, async () => undefined))
    for (const outcome of outcomes) console.error(`  ${outcome.name}: ${describe(outcome)}`)
    const [only, ...others] = outcomes
    const answer = only === undefined || others.length > 0 ? '' : describe(only)
    return [what, answer, ...cellsOf(quiet, beside, maxMoreMibOf(names))]
  } finally {
    await Promise.all([neighbour.end(), attacker.end()])
    await service.stop()
    group?.remove()
  }
}

async function measure(
  { service, neighbour }: Ground,
  meanwhile: () => Promise<void>,
  attacker?: HelperProcess<ToAttacker>,
): Promise<Measured> {
  const cpuSeconds = () => cpuSecondsOf(service.pid) + (attacker === undefined ? 0 : cpuSecondsOf(attacker.pid))
  const [started, cpuBefore] = [performance.now(), cpuSeconds()]
  const idleMib = memoryMibOf(service.pid)
  let peakMib = idleMib
  const sample = setInterval(() => (peakMib = Math.max(peakMib, memoryMibOf(service.pid))), SAMPLE_MS)
  const [felt] = await Promise.all([neighbour.ask<Felt>({ runForMs: RUN_MS }), meanwhile()])
  clearInterval(sample)
  const cores = (cpuSeconds() - cpuBefore) / ((performance.now() - started) / 1000)
  return { felt, cores, moreMib: peakMib - idleMib }
}

/** `cores`: CPU seconds a second, spread over as few processes as can use them. */
async function besideBurners<T>(cores: number, work: () => Promise<T>): Promise<T> {
  const count = Math.max(1, Math.ceil(cores))
  const share = String(Math.max(cores, 0) / count)
  const burners = Array.from({ length: count }, () => new HelperProcess<object>('burner', share))
  try {
    return await work()
  } finally {
    await Promise.all(burners.map((burner) => burner.end()))
  }
}

/** What each role felt beside the attack, and what it felt beside the burners; the memory; and who felt more than the target. */
function cellsOf(quiet: Measured, beside: Measured, maxMoreMib: number): string[] {
  const missed: string[] = []
  const cells = ROLES.map((role) => {
    const [still, loud] = [percentile99(quiet.felt[role].times), percentile99(beside.felt[role].times)]
    const target = role === 'visitor' ? Math.max(2 * still, still + 10) : Math.max(3 * still, still + 50)
    const { failures } = beside.felt[role]
    if (failures.length > 0 || !(loud <= target)) missed.push(role)
    const failed = failures.length === 0 ? '' : `, ${failures.length} failed (${[...new Set(failures)].join(' ')})`
    return `${loud.toFixed(1)} ms, quiet ${still.toFixed(1)}${failed}`
  })
  if (beside.moreMib > maxMoreMib) missed.push('memory')
  return [...cells, `${beside.moreMib.toFixed(0)} MiB`, missed.length === 0 ? 'all' : `not ${missed.join(', ')}`]
}

/** Of one attack its own bound; of several the one for all. */
function maxMoreMibOf([name, ...others]: readonly string[]): number {
  const attack = ATTACKS.find((known) => known.name === name)
  return (others.length === 0 ? attack?.maxMoreMib : undefined) ?? MAX_MORE_MIB
}

function percentile99(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN
}

function describe({ answers, times, medianMs, longestMs }: Outcome): string {
  if (times === 0) return answers.join(', ')
  return `${answers.join(', ')}; ${times} times, median ${medianMs.toFixed(0)} ms, longest ${longestMs.toFixed(0)} ms`
}
