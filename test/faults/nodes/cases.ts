// Faults of the nodes and of PostgreSQL while clients write and read.

import { rmSync, statfsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.js'
import type { FaultNode } from './node.js'

export interface Case {
  what: string
  /** Does the harm and ends it. */
  harm(cluster: Cluster): Promise<void>
  /** The node that cannot answer meanwhile; the others have to. */
  victim?: number
}

const DEAF_MS = 4000
const FULL_MS = 4000
const FROZEN_MS = [1000, 5000, 30_000]

function nodeOf({ nodes }: Cluster, victim: number): FaultNode {
  const node = nodes[victim]
  if (node === undefined) throw new Error(`there is no node ${victim}`)
  return node
}

function killing(victim: number): Case {
  return {
    what: `kill -9 of node ${victim + 1}`,
    victim,
    async harm(cluster) {
      await nodeOf(cluster, victim).kill()
      await nodeOf(cluster, victim).start()
    },
  }
}

function freezing(milliseconds: number, victim: number): Case {
  return {
    what: `node ${victim + 1} frozen for ${milliseconds / 1000} s`,
    victim,
    harm: async (cluster) => await nodeOf(cluster, victim).freeze(milliseconds),
  }
}

export const CASES: readonly Case[] = [
  { what: 'nothing', harm: () => pause(DEAF_MS) },
  killing(0),
  killing(1),
  killing(2),
  ...FROZEN_MS.map(freezing),
  {
    what: 'node 1 cut off from PostgreSQL without a word',
    victim: 0,
    async harm(cluster) {
      const { way } = nodeOf(cluster, 0)
      await way.whileDeaf(() => pause(DEAF_MS))
      way.cut()
    },
  },
  {
    what: 'every connection to PostgreSQL cut, three times',
    async harm({ nodes }) {
      for (let i = 0; i < 3; i++) {
        for (const { way } of nodes) way.cut()
        await pause(500)
      }
    },
  },
  {
    what: 'kill -9 of PostgreSQL',
    async harm({ primary }) {
      await primary.down('SIGKILL')
      await primary.up()
    },
  },
  {
    what: 'PostgreSQL restarted while commits wait for their standby',
    async harm({ primary, standby }) {
      await standby.down('SIGINT')
      await pause(1000)
      await primary.down('SIGINT')
      await primary.up()
      await standby.up()
    },
  },
  {
    what: "node 1's disk wiped",
    victim: 0,
    async harm(cluster) {
      const node = nodeOf(cluster, 0)
      await node.kill()
      node.wipe()
      await node.start()
    },
  },
  {
    what: "node 2's disk full",
    victim: 1,
    async harm({ disk }) {
      const filling = join(disk.folder, 'filling')
      const { bavail, bsize } = statfsSync(disk.folder)
      // The node writes too: then there is less room than was seen, and it is full all the same.
      await writeFile(filling, Buffer.alloc(bavail * bsize)).catch(() => undefined)
      await pause(FULL_MS)
      rmSync(filling)
    },
  },
  { what: 'a fourth node joins', harm: async (cluster) => void (await cluster.join()) },
  {
    what: 'the synchronous standby promoted, with the primary still there',
    harm: async ({ standby }) => await standby.promote(),
  },
  killing(1),
]
