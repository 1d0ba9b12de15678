// Measures publishing through nodes, by turns with the embedded service: one publish after the other through one node, and 32 writers on 32
// sites through one, two and three nodes. Each node replays the others' publishes, on the same machine.

import { join } from 'node:path'
import type { PostgresServer } from '../../test/servers/postgres-server.js'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'
import { type Publishes, publishesASecond } from '../publishing/publishes.js'
import { makeSites, startNodes, withDatabase } from './ground.js'

const NODES = 3
const PAGES = 10
const WARM_UP = 100
const SINGLES = 300
const WRITERS = 32
/** Duration of each load in each round. */
const SECONDS = 3
const WARM_UP_SECONDS = 2
const ROUNDS = 3
const BYTES = 2048

let counter = 0

interface Cluster {
  name: string
  folder: string
  database: PostgresServer
  url: string
  nodes: RunningService[]
  sites: string[]
}

export async function benchNodePublishing(): Promise<Row[]> {
  return await withFolder((folder) =>
    withDatabase(false, (alone, aloneUrl) =>
      withDatabase(true, async (pair, pairUrl) => {
        const embedded = await runService({ dataDir: join(folder, 'embedded'), scopes: 'admin' })
        const clusters: Cluster[] = []
        try {
          for (const [name, database, url] of [
            ['without a standby', alone, aloneUrl],
            ['with a synchronous standby', pair, pairUrl],
          ] as const) {
            const cluster: Cluster = { name, folder: join(folder, name), database, url, nodes: [], sites: [] }
            clusters.push(cluster)
            await startNodes(cluster.nodes, cluster.folder, url, 1)
            cluster.sites = await makeSites(cluster.nodes[0]!, WRITERS)
          }
          const sites = await makeSites(embedded, WRITERS)
          return [
            ...(await compareSingles(embedded, clusters)),
            ...(await measureBytes(clusters[0]!)),
            ...(await compareMany(embedded, sites, clusters)),
          ]
        } finally {
          for (const { nodes } of clusters) for (const node of nodes) await node.stop()
          await embedded.stop()
        }
      }),
    ),
  )
}

function publish(service: RunningService, siteId?: string): Promise<unknown> {
  counter += 1
  return service.put(`/page-${counter % PAGES}`, String(counter).padEnd(BYTES, 'x'), siteId)
}

/** Publishes through each service by turns. */
async function compareSingles(embedded: RunningService, clusters: readonly Cluster[]): Promise<Row[]> {
  const services = [embedded, ...clusters.map(({ nodes }) => nodes[0]!)]
  const times = services.map((): number[] => [])
  for (let i = 0; i < WARM_UP + SINGLES; i++)
    for (const [at, service] of services.entries()) {
      const time = await timed(() => publish(service))
      if (i >= WARM_UP) times[at]?.push(time)
    }
  const [peer = Number.NaN, ...ours] = times.map(median)
  return clusters.map(({ name }, at) => ({
    what: `one publish over HTTP through a node ${name}, against the embedded service`,
    ...(at === 0 && { target: 'at most 1.2 ×' }),
    ours: `${(ours[at] ?? Number.NaN).toFixed(2)} ms`,
    peer: `${peer.toFixed(2)} ms`,
    ratio: (ours[at] ?? Number.NaN) / peer,
  }))
}

/** Writes each site through one node. */
async function compareMany(
  embedded: RunningService,
  sites: readonly string[],
  clusters: readonly Cluster[],
): Promise<Row[]> {
  const rows: Row[] = []
  for (let count = 1; count <= NODES; count++) {
    for (const cluster of clusters) await startNodes(cluster.nodes, cluster.folder, cluster.url, count)
    const [peer = Number.NaN, ...rates] = await measureRates([
      { key: embedded.key, targets: sites.map((site) => `${embedded.port}/${site}`) },
      ...clusters.map(({ nodes, sites: theirs }) => ({
        key: nodes[0]!.key,
        targets: theirs.map((site, i) => `${nodes[i % count]!.port}/${site}`),
      })),
    ])
    const through = count === 1 ? '1 node' : `${count} nodes`
    for (const [at, { name }] of clusters.entries())
      rows.push({
        what: `${WRITERS} writers on ${WRITERS} sites through ${through} ${name}, against the embedded service`,
        ...(at === 0 && { target: 'at least 1 ×' }),
        ours: `${(rates[at] ?? Number.NaN).toFixed(0)} /s`,
        peer: `${peer.toFixed(0)} /s`,
        ratio: (rates[at] ?? Number.NaN) / peer,
      })
  }
  return rows
}

/** Returns the publishes per second of each service, measured by turns. */
async function measureRates(services: readonly Pick<Publishes, 'key' | 'targets'>[]): Promise<number[]> {
  const rates = services.map((): number[] => [])
  const load = { writers: WRITERS, writes: Infinity, prefix: 'kept', pages: PAGES }
  for (let round = -1; round < ROUNDS; round++)
    for (const [at, service] of services.entries()) {
      const rate = await publishesASecond({ ...service, ...load, seconds: round < 0 ? WARM_UP_SECONDS : SECONDS })
      // The first round is discarded: code is compiled, and nodes without writes so far fetch the writes of others.
      if (round >= 0) rates[at]?.push(rate)
    }
  return rates.map(median)
}

/** Measures how much each of several publishes in a row adds to the tables and to the write-ahead log. */
async function measureBytes({ database, url, nodes, sites }: Cluster): Promise<Row[]> {
  const [node] = nodes as [RunningService]
  const read = async () => {
    const [row] = await database.query(
      `SELECT pg_current_wal_lsn() - '0/0'::pg_lsn AS wal,
         (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
          WHERE nspname IN ('log', 'catalog') AND relkind = 'r') AS tables`,
      url,
    )
    return { wal: Number(row?.['wal']), tables: Number(row?.['tables']) }
  }
  await database.query('CHECKPOINT')
  const before = await read()
  for (let i = 0; i < SINGLES; i++) await publish(node, sites[0])
  const after = await read()
  const each = (bytes: number) => `${(bytes / SINGLES / 1000).toFixed(1)} KB`
  const none = { peer: '', ratio: Number.NaN }
  return [
    {
      what: `bytes in PostgreSQL for each publish of 2 KB, tables and indexes`,
      ours: each(after.tables - before.tables),
      ...none,
    },
    { what: `the same, write-ahead log`, ours: each(after.wal - before.wal), ...none },
  ]
}
