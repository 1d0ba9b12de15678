// Measures the effect on a tenant's visitors, readers and publishers of another tenant's attacks, one by one and all at once. *Quiet* is
// the same load next to an unrelated process that uses as much CPU time as the attack and its answers did.

import { makeMemoryGroup } from '../ground/memory-group.js'
import { ATTACKS } from './attacks/table.js'
import { describe, printAttacks, RUN_MS } from './chosen-attacks.js'
import { type Ground, withGround } from './ground.js'
import { HelperProcess } from './helper-process.js'
import type { Felt, Role } from './neighbour.js'
import { cpuSecondsOf, memoryMibOf } from './process-tree.js'
import type { Outcome } from './attacker.js'

const SAMPLE_MS = 250
const MIB = 1024 * 1024
const MAX_MORE_MIB = 384
const ROLES: readonly Role[] = ['visitor', 'reader', 'publisher']

interface Measured {
  felt: Felt
  /** CPU seconds per second of the service and the attacker. */
  cores: number
  moreMib: number
}

/** Memory limit of the service. If BENCH_MEMORY_MIB is set, the service is configured for a machine of 1 GB. */
const MEMORY_MIB = Number(process.env['BENCH_MEMORY_MIB'] ?? 0)
/** The settings for 1 GB in docs/configuration.md. */
const OF_1_GB = {
  MEMORY_BYTES: '167772160',
  CACHE_BYTES: '33554432',
  MAX_CONNECTIONS: '2000',
  NODE_OPTIONS: '--max-semi-space-size=2',
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
}

const COLUMNS = ['attack', 'answer', 'visitor', 'reader', 'publisher', 'memory', 'targets met']

/** Prints a table, row by row after each attack. */
export async function printNeighbours(): Promise<void> {
  await printAttacks(COLUMNS, benchAttack)
}

async function benchAttack(names: readonly string[]): Promise<string[]> {
  const group = MEMORY_MIB > 0 ? makeMemoryGroup(MEMORY_MIB * MIB) : undefined
  if (MEMORY_MIB > 0 && group === undefined) throw new Error('the kernel makes no group with a limit of memory here')
  try {
    return await withGround(group ? { under: group.enter, env: OF_1_GB } : {}, async (ground) => {
      const alone = await measure(ground, async () => undefined)
      await ground.prepareAttacks(names)
      let outcomes: Outcome[] = []
      const beside = await measure(
        ground,
        async () => {
          outcomes = await ground.attack(RUN_MS)
        },
        ground.attackerPid,
      )
      await ground.endAttacks()
      const quiet = await besideBurners(beside.cores - alone.cores, () => measure(ground, async () => undefined))
      const killed = group?.killed() ?? 0
      return [describe(outcomes), ...cellsOf(quiet, beside, maxMoreMibOf(names), killed)]
    })
  } finally {
    group?.remove()
  }
}

async function measure(
  { service, feel }: Ground,
  meanwhile: () => Promise<void>,
  attackerPid?: number,
): Promise<Measured> {
  const cpuSeconds = () =>
    sum(service.pids.map(cpuSecondsOf)) + (attackerPid === undefined ? 0 : cpuSecondsOf(attackerPid))
  const [started, cpuBefore] = [performance.now(), cpuSeconds()]
  const memoryMib = () => sum(service.pids.map(memoryMibOf))
  const idleMib = memoryMib()
  let peakMib = idleMib
  const sample = setInterval(() => (peakMib = Math.max(peakMib, memoryMib())), SAMPLE_MS)
  const [felt] = await Promise.all([feel(RUN_MS), meanwhile()])
  clearInterval(sample)
  const cores = (cpuSeconds() - cpuBefore) / ((performance.now() - started) / 1000)
  return { felt, cores, moreMib: peakMib - idleMib }
}

/** Runs the work next to burners. `cores`: CPU seconds per second, spread over as few processes as can use them. */
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

/** Formats each role's times during the attack and next to the burners, the memory, and the missed targets. */
function cellsOf(quiet: Measured, beside: Measured, maxMoreMib: number, killed: number): string[] {
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
  if (killed > 0) missed.push(`alive: the kernel killed ${killed} processes`)
  return [...cells, `${beside.moreMib.toFixed(0)} MiB`, missed.length === 0 ? 'all' : `not ${missed.join(', ')}`]
}

/** Returns the attack's own limit, or the general one for several attacks. */
function maxMoreMibOf([name, ...others]: readonly string[]): number {
  const attack = ATTACKS.find((known) => known.name === name)
  return (others.length === 0 ? attack?.maxMoreMib : undefined) ?? MAX_MORE_MIB
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function percentile99(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN
}
