// Three services on one database, which are killed, frozen and cut off while clients write and read through all of them, and so is the
// database. The other nodes must go on meanwhile.

import type { FaultProgram, Report } from '../program.js'
import { CASES, type Case } from './cases.js'
import { Cluster } from './cluster.js'
import { Load } from './load.js'
import { DatabaseProbe, longestGap } from './silence.js'

/** Acknowledged in all. FAULT_WRITES asks for another number. */
const WRITES = Number(process.env['FAULT_WRITES'] ?? 20_000)
/** How long a node that is not harmed may acknowledge nothing, beyond the time for which PostgreSQL took no writes. */
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
  probe.start()
  const watched = { from: 0, to: 0 }
  const harm = async () => {
    watched.from = performance.now()
    await each.harm(cluster)
    watched.to = performance.now() + WATCHED_MS
  }
  await load.run(Math.ceil(WRITES / CASES.length), harm())
  await probe.stop()
  const silence = Math.max(...others.map((node) => longestGap(load.moments.get(node) ?? [], watched.from, watched.to)))
  const ofDatabase = longestGap(probe.moments, watched.from, watched.to)
  await load.judge()
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`
  console.log(
    `nodes: ${each.what}: ${load.acknowledged - before} acknowledged; the others silent for ${seconds(silence)}, PostgreSQL for ${seconds(ofDatabase)}`,
  )
  if (silence > ofDatabase + MAX_SILENCE_MS)
    report.violate(`${each.what}: other nodes acknowledged nothing for ${seconds(silence)}`)
}
