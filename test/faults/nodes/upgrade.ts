// Nodes of two builds side by side under load: one node after the other is stopped and started again as the new build.

import { setTimeout as pause } from 'node:timers/promises'
import { MAIN } from '../../scenarios/serve-process.js'
import type { FaultProgram } from '../program.js'
import { Cluster } from './cluster.js'
import { Load } from './load.js'

const WRITES = 1000
/** Between the first node of the new build and the last of the old one. */
const SIDE_BY_SIDE_MS = 60_000

export const upgrade: FaultProgram = {
  name: 'upgrade',
  about: 'three nodes of an earlier build (PREVIOUS_PROGRAM) become this one, one after the other, under load',
  needs: ['postgres', 'previous', 'root'],
  async run(report) {
    const cluster = await Cluster.launch()
    let load: Load | undefined
    try {
      const key = await cluster.start(process.env['PREVIOUS_PROGRAM'])
      load = await Load.prepare(cluster, key, report)
      report.begin('three nodes, each stopped and started as the new build')
      await load.run(
        WRITES,
        (async () => {
          for (const node of cluster.nodes) {
            await node.stop()
            node.becomes(MAIN)
            await node.start()
            if (node !== cluster.nodes.at(-1)) await pause(SIDE_BY_SIDE_MS / (cluster.nodes.length - 1))
          }
        })(),
      )
      await load.judge()
    } finally {
      await load?.end()
      await cluster.remove()
    }
  },
}
