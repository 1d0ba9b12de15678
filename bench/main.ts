// `npm run bench [-- name]`: measures the service side by side with its peers, in turn and in one run, and prints ratios.

import { cpus } from 'node:os'
import { benchCold } from './programs/cold.js'
import { benchDeploys } from './deploys/bench.js'
import { benchFlatSite } from './programs/flat-site.js'
import { benchHistory } from './programs/history.js'
import { benchLargePush } from './programs/large-push.js'
import { benchNeighbours } from './neighbours/bench.js'
import { benchPacks } from './programs/packs.js'
import { benchPageIds } from './programs/page-ids.js'
import { benchPublish } from './programs/publish.js'
import { benchSoak } from './programs/soak.js'
import { benchStalls } from './stalls/stalls.js'
import { benchStart } from './programs/start.js'
import type { Row } from './ground/row.js'
import { benchSearch } from './programs/search.js'
import { benchServe } from './programs/serve.js'
import { benchVisits } from './programs/visits.js'
import { benchTools } from './programs/tools.js'
import { benchWriters } from './programs/writers.js'
import { benchWorkers } from './stalls/workers.js'

const BENCHES: Record<string, () => Promise<Row[]>> = {
  publish: benchPublish,
  writers: benchWriters,
  flat: benchFlatSite,
  serve: benchServe,
  search: benchSearch,
  visits: benchVisits,
  history: benchHistory,
  push: benchLargePush,
  deploy: benchDeploys,
  packs: benchPacks,
  ids: benchPageIds,
  start: benchStart,
  cold: benchCold,
  workers: benchWorkers,
  tools: benchTools,
  stalls: benchStalls,
  soak: benchSoak,
  neighbours: benchNeighbours,
}
/** Too long to be run with the others. */
const BY_NAME_ONLY: readonly string[] = ['soak', 'neighbours']

const wanted = process.argv.slice(2)
const unknown = wanted.find((name) => !Object.hasOwn(BENCHES, name))
if (unknown !== undefined) {
  console.error(`There is no bench "${unknown}"; there are ${Object.keys(BENCHES).join(', ')}.`)
  process.exit(2)
}

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}\n`)
for (const [name, bench] of Object.entries(BENCHES)) {
  if (wanted.length > 0 ? !wanted.includes(name) : BY_NAME_ONLY.includes(name)) continue
  console.error(`${name} …`)
  console.log(`## ${name}\n\n| what | target | Palimpsest | peer | ratio |\n|---|---|---|---|---|`)
  for (const { what, target = '', ours, peer, ratio } of await bench())
    console.log(`| ${what} | ${target} | ${ours} | ${peer} | ${Number.isNaN(ratio) ? '' : ratio.toFixed(2)} |`)
  console.log()
}
