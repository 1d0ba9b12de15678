// Three nodes on one database, which are killed while all of them write and read, and so is the database: what was acknowledged is
// on every node afterwards, and no read was older than an acknowledgement.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { SiteRef } from '../../../src/store/protocol/write.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { Proxy } from '../../postgres/proxy.js'
import { git } from '../../support/git.js'
import type { FaultProgram, Report } from '../program.js'
import { FaultNode } from './node.js'

const NODES = 3
const SITES = 4
const WRITERS_ON_NODE = 3
const LOAD_MS = 3000
/** A node goes on within this time after a fault is over. */
const RECOVERY_MS = 20_000

interface Ground {
  primary: PostgresServer
  standby: PostgresServer
  proxy: Proxy
  nodes: FaultNode[]
  sites: SiteRef[]
}

/** A read that began when `seen` commits of the site were acknowledged. */
interface Read {
  site: number
  seen: number
  head: string
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
    'kill -9 of the primary, and promotion of its synchronous standby',
    async ({ primary, standby, proxy }) => {
      await primary.down('SIGKILL')
      await standby.promote()
      proxy.leadTo(standby.port)
      proxy.cut()
    },
  ],
]

export const failingNodes: FaultProgram = {
  name: 'nodes',
  about:
    'three nodes on one PostgreSQL with a synchronous standby: kills them, cuts them off, and promotes the standby, all under load',
  needs: ['postgres'],
  async run(report) {
    const ground = await prepare()
    const load = new Load(ground, report)
    try {
      for (const [round, [what, fault]] of FAULTS.entries()) {
        report.begin(what, FAULTS.length)
        const running = load.run()
        await pause(LOAD_MS / 3)
        await fault(ground, round)
        await running
        await load.judge()
      }
    } finally {
      for (const node of ground.nodes) await node.remove()
      await ground.proxy.stop()
      await ground.standby.remove()
      await ground.primary.remove()
    }
  },
}

async function prepare(): Promise<Ground> {
  const primary = await PostgresServer.launch()
  if (primary === undefined) throw new Error('PostgreSQL is not installed')
  const url = await primary.createDatabase()
  const standby = await primary.addSynchronousStandby()
  const proxy = await new Proxy(primary.port).start()
  const sites = Array.from({ length: SITES }, (_, i) => ({ id: randomUUID(), slug: `site-${i}` }))
  const nodes = Array.from({ length: NODES }, () => new FaultNode(proxy.through(url), sites))
  for (const node of nodes) await node.start()
  for (const site of sites.keys()) await nodes[0]?.ask({ do: 'create', site })
  return { primary, standby, proxy, nodes, sites }
}

class Load {
  readonly #ground: Ground
  readonly #report: Report
  /** By site, in the order of the acknowledgements. */
  readonly #acknowledged: string[][]
  readonly #reads: Read[] = []
  #paths = 0

  constructor(ground: Ground, report: Report) {
    this.#ground = ground
    this.#report = report
    this.#acknowledged = ground.sites.map(() => [])
  }

  /** Every node writes and reads. A refusal is no fault; a write that was refused as unknown may be there or not. */
  async run(): Promise<void> {
    const end = performance.now() + LOAD_MS
    const worker = async (node: FaultNode, first: number) => {
      for (let i = first; performance.now() < end; i++) {
        const done = await (i % 2 === 0 ? this.#publish(node, i % SITES) : this.#read(node, i % SITES))
        if (!done) await pause(50)
      }
    }
    const { nodes } = this.#ground
    await Promise.all(nodes.flatMap((node) => Array.from({ length: WRITERS_ON_NODE * 2 }, (_, i) => worker(node, i))))
  }

  async #publish(node: FaultNode, site: number): Promise<boolean> {
    const path = `/page-${this.#paths++}`
    const commit = await node.ask({ do: 'publish', site, path, html: `<p>${path}` }).catch(() => undefined)
    if (commit === undefined) return false
    this.#acknowledged[site]?.push(commit)
    this.#report.acknowledge()
    return true
  }

  async #read(node: FaultNode, site: number): Promise<boolean> {
    const seen = this.#acknowledged[site]?.length ?? 0
    const head = await node.ask({ do: 'read', site }).catch(() => undefined)
    if (head !== undefined) this.#reads.push({ site, seen, head })
    return head !== undefined
  }

  /** All nodes have the same history, with all that was acknowledged, in which each read comes after what was acknowledged before it. */
  async judge(): Promise<void> {
    const { nodes, sites } = this.#ground
    for (const [number, site] of sites.entries()) {
      for (const node of nodes) await this.#untilItReads(node, number)
      const histories = nodes.map((node) => git(node.gitdir(site), 'log', '--format=%H', '--reverse', 'main').trim())
      if (new Set(histories).size > 1) this.#report.violate(`the nodes have different histories of ${site.slug}`)
      for (const node of nodes) {
        const found = git(node.gitdir(site), 'fsck', '--full', '--strict', '--no-dangling').trim()
        if (found !== '') this.#report.violate(`git finds: ${found}`)
      }
      this.#compare(number, (histories[0] ?? '').split('\n'))
    }
    this.#reads.length = 0
  }

  #compare(site: number, history: readonly string[]): void {
    const position = new Map(history.map((commit, i) => [commit, i]))
    /** The newest of the first n commits that were acknowledged. */
    const newest = [-1]
    for (const commit of this.#acknowledged[site] ?? []) {
      const at = position.get(commit)
      if (at === undefined) this.#report.lose(`${commit} of site ${site}`)
      newest.push(Math.max(newest.at(-1) ?? -1, at ?? -1))
    }
    for (const { site: of, seen, head } of this.#reads) {
      if (of !== site) continue
      const at = position.get(head)
      if (at === undefined) this.#report.violate(`a read saw ${head}, which is in no history`)
      else if (at < (newest[seen] ?? -1)) this.#report.violate(`a read saw ${head}, older than what was acknowledged`)
    }
  }

  async #untilItReads(node: FaultNode, site: number): Promise<void> {
    for (const end = performance.now() + RECOVERY_MS; ; await pause(50)) {
      const error = await node.ask({ do: 'read', site }).then(
        () => undefined,
        (reason: unknown) => reason,
      )
      if (error === undefined) return
      if (performance.now() > end) throw new Error('a node does not come back', { cause: error })
    }
  }
}
