// Three services on one database, which are killed, frozen and cut off while clients write and read through all of them, and so is the
// database.

import { setTimeout as pause } from 'node:timers/promises'
import { existsSync } from 'node:fs'
import { Proxy } from '../../postgres/proxy.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import type { FaultProgram, Report } from '../program.js'
import { Load, type LoadedSite } from './load.js'
import { FaultNode } from './node.js'

const NODES = 3
const SITES = 4
/** The fault comes after this time under load. */
const CALM_MS = 3000
const FREEZE_MS = 4000
const FAKE_TIME = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
/** The machine of one node has a clock that is a day ahead, where Debian's faketime is there. */
const WRONG_CLOCK = { LD_PRELOAD: FAKE_TIME, FAKETIME: '+1d', FAKETIME_DONT_FAKE_MONOTONIC: '1' }

interface Ground {
  url: string
  primary: PostgresServer
  standby: PostgresServer
  proxy: Proxy
  nodes: FaultNode[]
}

const FAULTS: readonly [what: string, (ground: Ground, round: number) => Promise<void>][] = [
  [
    'kill -9 of a node',
    async ({ nodes }, round) => {
      const node = nodes[round % NODES]
      await node?.kill()
      await node?.start()
    },
  ],
  ['a node frozen for 4 s', async ({ nodes }, round) => await nodes[round % NODES]?.freeze(FREEZE_MS)],
  [
    'kill -9 of PostgreSQL',
    async ({ primary }) => {
      await primary.down('SIGKILL')
      await primary.up()
    },
  ],
  [
    'every connection cut, and no answer for a while',
    async ({ proxy }) => {
      await proxy.whileDeaf(() => pause(1000))
      proxy.cut()
    },
  ],
  [
    "a node's disk wiped",
    async ({ nodes }) => {
      const [node] = nodes
      await node?.kill()
      node?.wipe()
      await node?.start()
    },
  ],
  [
    'a fourth node that joins',
    async ({ url, nodes }) => {
      const node = new FaultNode(url)
      if (nodes[0] !== undefined) node.signAs(nodes[0])
      await node.start()
      nodes.push(node)
    },
  ],
  [
    'promotion of the synchronous standby, with the primary still there',
    async ({ standby }) => await standby.promote(),
  ],
]

export const failingNodes: FaultProgram = {
  name: 'nodes',
  about:
    'three services on one PostgreSQL with a synchronous standby: kills, freezes, wipes and cuts them off, and promotes the standby, all under load',
  needs: ['postgres'],
  async run(report) {
    const ground = await launch()
    let load: Load | undefined
    try {
      load = await prepare(ground, report)
      for (const [round, [what, fault]] of FAULTS.entries()) {
        report.begin(what, FAULTS.length)
        const running = load.run()
        await pause(CALM_MS)
        await fault(ground, round)
        await running
        await load.judge()
      }
    } finally {
      load?.remove()
      for (const node of ground.nodes) await node.remove()
      await ground.proxy.stop()
      await ground.standby.remove()
      await ground.primary.remove()
    }
  },
}

/** The primary behind a proxy, and its standby beside it. */
async function launch(): Promise<Ground> {
  const primary = await PostgresServer.launch()
  if (primary === undefined) throw new Error('PostgreSQL is not installed')
  const direct = await primary.createDatabase()
  const standby = await primary.addSynchronousStandby()
  const proxy = await new Proxy(primary.port).start()
  const url = proxy.through(direct).replace(/(:\d+)\//, `$1,127.0.0.1:${standby.port}/`)
  return { url, primary, standby, proxy, nodes: [] }
}

async function prepare({ url, nodes }: Ground, report: Report): Promise<Load> {
  const first = new FaultNode(url)
  nodes.push(first)
  await first.start()
  const key = await first.makeKey()
  const sites: LoadedSite[] = []
  for (let i = 0; i < SITES; i++) {
    const { body } = await first.ask(key, 'POST', '/sites', { slug: `site-${i}` })
    sites.push(body.data)
  }
  const fields = { 'x-service-site-id': sites[0]?.id }
  const { body } = await first.ask(key, 'POST', '/collections', { name: 'rows' }, fields)
  while (nodes.length < NODES) {
    const isLast = nodes.length === NODES - 1
    const node = new FaultNode(url, isLast && existsSync(FAKE_TIME) ? WRONG_CLOCK : {})
    node.signAs(first)
    nodes.push(node)
    await node.start()
  }
  return new Load(nodes, key, sites, body.data.id, report)
}
