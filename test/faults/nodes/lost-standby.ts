// A primary is lost for good, and a standby is promoted that lacks what it had acknowledged. That is gone: the nodes must notice it,
// have one history again, keep their commits where an operator finds them, and write nothing of them back.

import { setTimeout as pause } from 'node:timers/promises'
import { Proxy } from '../../nodes/postgres/proxy.js'
import { PostgresServer } from '../../servers/postgres-server.js'
import { complaintsOf, git } from '../../support/git.js'
import type { FaultProgram, Report } from '../program.js'
import { FaultNode } from './node.js'

const NODES = 2
const WRITES = 10
const RECOVERY_MS = 60_000
const SLUG = 'demo'

export const lostStandby: FaultProgram = {
  name: 'lost-standby',
  about: 'two nodes on a primary that is lost, and a standby in its place that lacks the newest writes',
  needs: ['postgres'],
  async run(report) {
    const primary = await PostgresServer.launch()
    if (primary === undefined) throw new Error('PostgreSQL is not installed')
    const url = await primary.createDatabase()
    const follows = await new Proxy(primary.port).start()
    const standby = await primary.addStandby(follows.port)
    const nodes: FaultNode[] = []
    try {
      for (let i = 0; i < NODES; i++) nodes.push(await startNode(url, primary, standby, nodes[0]))
      await loseWrites({ primary, standby, follows, nodes }, report)
    } finally {
      for (const node of nodes) await node.remove()
      await follows.stop()
      await standby.remove()
      await primary.remove()
    }
  },
}

interface Ground {
  primary: PostgresServer
  standby: PostgresServer
  follows: Proxy
  nodes: readonly FaultNode[]
}

async function startNode(
  url: string,
  primary: PostgresServer,
  standby: PostgresServer,
  first: FaultNode | undefined,
): Promise<FaultNode> {
  const way = await new Proxy(primary.port).start()
  const databaseUrl = way.through(url).replace(/(:\d+)\//, `$1,127.0.0.1:${standby.port}/`)
  const node = new FaultNode({ databaseUrl, way })
  await node.start()
  if (first === undefined) await publish(node, await node.makeKey(), '/first')
  return node
}

async function loseWrites({ primary, standby, follows, nodes }: Ground, report: Report): Promise<void> {
  const [left, right] = nodes as [FaultNode, FaultNode]
  const key = await left.makeKey()
  report.begin('writes that the standby has')
  const kept: string[] = []
  for (let i = 0; i < WRITES; i++) kept.push(await publish(i % 2 === 0 ? left : right, key, `/kept-${i}`))
  await untilSame(primary, standby)
  await follows.stop()
  report.begin('writes that it lacks, and its promotion')
  const doomed: string[] = []
  for (let i = 0; i < WRITES; i++) doomed.push(await publish(i % 2 === 0 ? left : right, key, `/doomed-${i}`))
  report.acknowledge(kept.length)
  await primary.down('SIGKILL')
  await standby.promote()
  for (const [at, node] of nodes.entries()) kept.push(await untilPublished(node, key, `/after-${at}`))
  report.acknowledge(nodes.length)
  await untilEqual(nodes, key)
  const history = new Set(git(left.gitdir(SLUG), 'rev-list', 'main').split('\n'))
  for (const commit of kept) if (!history.has(commit)) report.lose(`${commit}, which the standby had`)
  for (const commit of doomed) if (history.has(commit)) report.violate(`${commit} was written back`)
  for (const node of nodes) await judgeLost(node, doomed, report)
}

/** The node keeps the newest of the commits that are gone, or at least up to the last that it acknowledged itself, and names it. */
async function judgeLost(node: FaultNode, doomed: readonly string[], report: Report): Promise<void> {
  const gitdir = node.gitdir(SLUG)
  const lost = git(gitdir, 'for-each-ref', '--format=%(objectname)', 'refs/palimpsest/lost/').split('\n')
  if (!doomed.slice(-NODES).some((commit) => lost.includes(commit)))
    report.violate(`a node keeps ${String(lost)}, and not ${String(doomed.slice(-NODES))}`)
  const complaints = complaintsOf(gitdir)
  if (complaints !== '') report.violate(`git fsck: ${complaints}`)
  for (const end = performance.now() + RECOVERY_MS; ; await pause(200)) {
    const answer = await fetch(`${node.origin}/healthz?verbose=1`)
    const { troubles } = (await answer.json()) as { troubles: { kind: string }[] }
    if (troubles.some(({ kind }) => kind === 'history')) return
    if (performance.now() > end) return report.violate('GET /healthz?verbose=1 does not name the lost commits')
  }
}

/** The commit of the page that was published. */
async function publish(node: FaultNode, key: string, path: string): Promise<string> {
  const { status, body } = await node.ask(key, 'POST', '/pages', { path, html: path })
  if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body.data.version.id
}

async function untilPublished(node: FaultNode, key: string, path: string): Promise<string> {
  for (const end = performance.now() + RECOVERY_MS; ; await pause(100)) {
    try {
      return await publish(node, key, path)
    } catch (error) {
      if (performance.now() > end) throw error
    }
  }
}

async function untilSame(primary: PostgresServer, standby: PostgresServer): Promise<void> {
  const [row] = await primary.query('SELECT pg_current_wal_lsn()::text AS at')
  const has = `SELECT pg_last_wal_replay_lsn() >= '${String(row?.['at'])}' AS has`
  while ((await standby.query(has))[0]?.['has'] !== true) await pause(20)
}

async function untilEqual(nodes: readonly FaultNode[], key: string): Promise<void> {
  for (const end = performance.now() + RECOVERY_MS; ; await pause(100)) {
    for (const node of nodes) await node.ask(key, 'GET', '/pages?limit=1').catch(() => undefined)
    if (new Set(nodes.map((node) => git(node.gitdir(SLUG), 'rev-parse', 'main'))).size === 1) return
    if (performance.now() > end) throw new Error('the nodes do not become equal')
  }
}
