// Three services on one database, which are killed, frozen and cut off while clients write and read through all of them, and so is the
// database. The other nodes must go on meanwhile.

import type { FaultProgram, Report } from '../program.js'
import { CASES, type Case } from './cases.js'
import { Cluster } from './cluster.js'
import { Load } from './load.js'
import { ProcessorProbe } from './processor.js'
import { acknowledgementsIn, DatabaseProbe, longestGap, seconds, tellOf } from './silence.js'

/** Acknowledged in all. FAULT_WRITES asks for another number. */
const WRITES = Number(process.env['FAULT_WRITES'] ?? 20_000)
/** Longest time without an acknowledgement by an unharmed node, beyond the time for which PostgreSQL accepted no writes. */
const MAX_SILENCE_MS = 3000
/** The first acknowledgements after a fault come in this time, or are missed. */
const WATCHED_MS = 5000

export const failingNodes: FaultProgram = {
  name: 'nodes',
  about:
    'three services on one PostgreSQL with a synchronous standby: kills, freezes, cuts off, wipes and fills them, and promotes the standby, all under load',
  needs: ['iproute2', 'postgres', 'root'],
  async run(report) {
    const cluster = await Cluster.launch()
    let load: Load | undefined
    try {
      load = await Load.prepare(cluster, await cluster.start(), report)
      for (const each of CASES) {
        report.begin(each.what, CASES.length)
        await runCase(each, cluster, load, report)
      }
    } finally {
      await load?.end()
      await cluster.remove()
    }
  },
}

async function runCase(each: Case, cluster: Cluster, load: Load, report: Report): Promise<void> {
  const before = load.acknowledged
  const others = cluster.nodes.filter((_, number) => number !== each.victim)
  const probe = new DatabaseProbe(cluster.urls)
  const processors = new ProcessorProbe()
  probe.start()
  const watched = { from: 0, to: 0 }
  const harm = async () => {
    watched.from = performance.now()
    await each.harm(cluster)
    watched.to = performance.now() + WATCHED_MS
  }
  const begun = performance.now()
  await load.run(Math.ceil(WRITES / CASES.length), harm())
  const ran = { from: begun, to: performance.now() }
  await probe.stop()
  processors.stop()
  const ofDatabase = lengthOf(longestGap(probe.moments, watched.from, watched.to))
  console.log(
    `nodes: ${each.what}: ${load.acknowledged - before} acknowledged in ${seconds(lengthOf(ran))}; ${processors.tell(ran)}; PostgreSQL silent for ${seconds(ofDatabase)}`,
  )
  for (const node of others) {
    const attempts = load.attempts.get(node) ?? []
    const silence = longestGap(acknowledgementsIn(attempts), watched.from, watched.to)
    const [from, to] = [silence.from, silence.to].map((moment) => seconds(moment - watched.from))
    console.log(
      `nodes:   node ${cluster.nodes.indexOf(node) + 1} silent from ${from} to ${to}: ${tellOf(attempts, silence)}; ${processors.tell(silence)}`,
    )
    if (lengthOf(silence) > ofDatabase + MAX_SILENCE_MS)
      report.violate(`${each.what}: another node acknowledged nothing for ${seconds(lengthOf(silence))}`)
  }
  for (const { slug, acknowledgements } of load.sites) {
    const silence = longestGap(acknowledgements, watched.from, watched.to)
    console.log(`nodes:   ${slug}: no acknowledged write for ${seconds(lengthOf(silence))} at most`)
  }
  await load.judge()
}

function lengthOf({ from, to }: { from: number; to: number }): number {
  return to - from
}
