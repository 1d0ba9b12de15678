// Checks whether a stranger can tell another workspace's site from a missing one by the answer times of the git endpoint. Requests both by
// turns over one kept connection, in random order, and compares the times by rank (Mann and Whitney). Also compares the CPU time of the
// answering processes, which varies little on a busy machine.

import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { makeTenant, Tenant } from '../neighbours/tenant.js'
import { treeOf } from '../neighbours/process-tree.js'
import { median, palimpsest, type RunningService, runService } from '../ground/running-service.js'

const PAIRS = process.env['BENCH_QUICK'] === '1' ? 300 : 3000
const WARM_UP = 200
/** Standard deviation of Mann and Whitney's U if both are alike, times 1.96: 95 of 100 results lie within it. */
const BY_CHANCE = 1.96 * Math.sqrt((2 * PAIRS + 1) / (12 * PAIRS * PAIRS))
/** Sites of each kind, with similar names, so that no single row of the catalog decides. */
const SITES = 20
const LS_REFS = '0014command=ls-refs\n0000'

interface GitRequest {
  what: string
  path: string
  version: number
  body?: string
}

const FETCH = 'info/refs?service=git-upload-pack'
const REQUESTS: readonly GitRequest[] = [
  ...[0, 1, 2].map((version) => ({ what: `what is to be fetched, protocol ${version}`, path: FETCH, version })),
  { what: 'what is to be pushed to', path: 'info/refs?service=git-receive-pack', version: 0 },
  { what: 'a fetch, protocol 0', path: 'git-upload-pack', version: 0, body: '0000' },
  { what: 'a fetch, protocol 2', path: 'git-upload-pack', version: 2, body: LS_REFS },
  { what: 'a push', path: 'git-receive-pack', version: 0, body: '0000' },
]
const COLUMNS = [
  'request',
  'key',
  'time, theirs',
  'missing',
  'theirs is longer',
  'CPU, theirs',
  'missing',
  'theirs is more',
]

interface Sample {
  microseconds: number
  cpuMicroseconds: number
}

/** Prints a table, row by row as each kind of request is measured. */
export async function printToldApart(): Promise<void> {
  const service = await runService()
  try {
    const { keys, theirs } = await prepare(service)
    console.log(
      `${PAIRS} pairs each; by chance theirs is longer in 50 ± ${(BY_CHANCE * 100).toFixed(1)} % (95 times in 100)\n`,
    )
    printRow(COLUMNS)
    printRow(COLUMNS.map(() => '---'))
    for (const asked of REQUESTS)
      for (const [name, key] of Object.entries(keys)) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other: each is measured
        const [there, missing] = await sample(service, asked, key, theirs)
        const cells = (['microseconds', 'cpuMicroseconds'] as const).flatMap((field) => compare(there, missing, field))
        printRow([asked.what, name, ...cells])
      }
  } finally {
    await service.stop()
  }
}

function printRow(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

async function prepare(
  service: RunningService,
): Promise<{ keys: Record<string, string | undefined>; theirs: string[] }> {
  const owner = new Tenant(await makeTenant(service, 'owner'))
  const stranger = await makeTenant(service, 'stranger')
  const theirs: string[] = []
  // oxlint-disable-next-line no-await-in-loop -- they queue in the service anyway
  for (let n = 0; n < SITES; n++) theirs.push((await owner.makeSite()).slug)
  const own = await owner.makeSite()
  const { workspace } = await owner.must<{ workspace: { id: string } }>('/me')
  const limits = ['--workspace', workspace.id, '--sites', own.id, '--scopes', 'write']
  const keys = {
    none: undefined,
    'of another workspace': stranger.key,
    'limited to another site': await palimpsest(service.dataDir, 'keys', 'create', ...limits),
  }
  return { keys, theirs }
}

/** Sends equally many requests for existing sites and for missing ones. */
async function sample(
  { port, pid }: RunningService,
  asked: GitRequest,
  key: string | undefined,
  theirs: readonly string[],
): Promise<[there: Sample[], missing: Sample[]]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  // Missing names repeat as often as those of existing sites.
  const missing = theirs.map((slug) => slugLike(slug))
  const processes = treeOf(pid)
  const samples: [Sample[], Sample[]] = [[], []]
  for (let pair = -WARM_UP; pair < PAIRS; pair++) {
    const isThereFirst = randomInt(2) === 0
    for (const isThere of [isThereFirst, !isThereFirst]) {
      const slug = (isThere ? theirs : missing)[randomInt(SITES)]
      const before = cpuOf(processes)
      const began = process.hrtime.bigint()
      // oxlint-disable-next-line no-await-in-loop -- one at a time: the time of each is measured
      await ask(agent, port, `/git/${slug}.git/`, asked, key)
      const microseconds = Number(process.hrtime.bigint() - began) / 1000
      if (pair >= 0) samples[isThere ? 0 : 1].push({ microseconds, cpuMicroseconds: cpuOf(processes) - before })
    }
  }
  agent.destroy()
  return samples
}

function slugLike(slug: string): string {
  return `s${randomBytes((slug.length - 1) / 2).toString('hex')}`
}

function ask(
  agent: Agent,
  port: number,
  folder: string,
  { path, version, body }: GitRequest,
  key?: string,
): Promise<void> {
  const headers = {
    'Git-Protocol': `version=${version}`,
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(body !== undefined && { 'Content-Length': body.length }),
  }
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: folder + path, agent, method, headers }, (answer) => {
      answer.resume().on('end', resolve).on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Returns the CPU time, in microseconds, of the main threads of processes, which answer the requests (proc(5), `schedstat`). */
function cpuOf(processes: readonly number[]): number {
  const nanoseconds = processes.map((pid) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]))
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1000
}

/** Returns both medians, and the share of all pairs in which the first is greater. */
function compare(there: readonly Sample[], missing: readonly Sample[], field: keyof Sample): string[] {
  const [ours, others] = [there, missing].map((samples) => samples.map((each) => each[field]))
  const medians = [ours, others].map((values = []) => `${median(values).toFixed(0)} µs`)
  return [...medians, `${(shareAbove(ours ?? [], others ?? []) * 100).toFixed(1)} %`]
}

/** Returns the share of all pairs in which the first is greater; equal ones count half. */
function shareAbove(ours: readonly number[], others: readonly number[]): number {
  const sorted = others.toSorted((a, b) => a - b)
  const sum = ours.reduce((total, value) => total + (rankIn(sorted, value, false) + rankIn(sorted, value, true)) / 2, 0)
  return sum / (ours.length * others.length)
}

/** Counts the values that are less than `value`, or not greater. */
function rankIn(sorted: readonly number[], value: number, orEqual: boolean): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const at = sorted[middle] ?? 0
    if (at < value || (orEqual && at === value)) low = middle + 1
    else high = middle
  }
  return low
}
