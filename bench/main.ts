// `npm run bench [-- name]`: measures the service side by side with its peers, by turns in one run, and prints ratios.

import { cpus } from 'node:os'
import { endBySignals } from '../test/servers/at-end.js'
import { benchChangedFiles } from './publishing/changed-files.js'
import { benchCold } from './programs/cold.js'
import { benchDashboard } from './programs/dashboard.js'
import { benchDeploys } from './deploys/bench.js'
import { benchFirstReads } from './reads/first-reads.js'
import { benchFlatSite } from './programs/flat-site.js'
import { benchGit } from './git/bench.js'
import { printToldApart } from './git/told-apart.js'
import { benchHistory } from './programs/history.js'
import { benchLargePush } from './programs/large-push.js'
import { printNeighbours } from './neighbours/bench.js'
import { printStretches } from './neighbours/stretches.js'
import { benchNodes, NODE_BENCHES } from './nodes/bench.js'
import { benchOpenRequests } from './reads/open-requests.js'
import { benchPacks } from './programs/packs.js'
import { benchPageIds } from './programs/page-ids.js'
import { benchPublish } from './programs/publish.js'
import { benchPublishRates } from './publishing/rates.js'
import { benchRequestWrites } from './publishing/request-writes.js'
import { benchSoak } from './programs/soak.js'
import { benchStalls } from './stalls/stalls.js'
import { benchStart } from './programs/start.js'
import type { Row } from './ground/row.js'
import { benchSearch } from './programs/search.js'
import { benchServe } from './programs/serve.js'
import { benchVisits } from './programs/visits.js'
import { benchSqlite } from './sqlite/bench.js'
import { benchTools } from './programs/tools.js'
import { benchWriters } from './programs/writers.js'

const BENCHES: Record<string, () => Promise<Row[]>> = {
  publish: benchPublish,
  rates: benchPublishRates,
  writers: benchWriters,
  flat: benchFlatSite,
  serve: benchServe,
  search: benchSearch,
  visits: benchVisits,
  history: benchHistory,
  push: benchLargePush,
  deploy: benchDeploys,
  changed: benchChangedFiles,
  git: benchGit,
  packs: benchPacks,
  ids: benchPageIds,
  sqlite: benchSqlite,
  start: benchStart,
  cold: benchCold,
  reads: benchFirstReads,
  requests: async () => [...(await benchRequestWrites()), ...(await benchOpenRequests())],
  dashboard: benchDashboard,
  tools: benchTools,
  stalls: benchStalls,
  nodes: benchNodes,
  ...NODE_BENCHES,
  soak: benchSoak,
}
/** Benches that print their own table. */
const PRINTED: Record<string, () => Promise<void>> = {
  neighbours: printNeighbours,
  stretches: printStretches,
  apart: printToldApart,
}
/** Benches that take too long to run with the others, or need PostgreSQL. */
const BY_NAME_ONLY: readonly string[] = [
  'soak',
  'neighbours',
  'stretches',
  'apart',
  'nodes',
  ...Object.keys(NODE_BENCHES),
]

const names = [...Object.keys(BENCHES), ...Object.keys(PRINTED)]
const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !names.includes(name))
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}"; there are ${names.join(', ')}.`)
  process.exit(2)
}

endBySignals()
console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`)
for (const name of names) {
  if (wanted.length > 0 ? !wanted.includes(name) : BY_NAME_ONLY.includes(name)) continue
  console.error(`${name} …`)
  console.log(`## ${name}\n`)
  await PRINTED[name]?.()
  const bench = BENCHES[name]
  if (bench !== undefined) printRows(await bench())
  console.log()
}

function printRows(rows: readonly Row[]): void {
  console.log('| what | target | Palimpsest | peer | ratio |\n|---|---|---|---|---|')
  for (const { what, target = '', ours, peer, ratio } of rows)
    console.log(`| ${what} | ${target} | ${ours} | ${peer} | ${Number.isNaN(ratio) ? '' : ratio.toFixed(2)} |`)
}
