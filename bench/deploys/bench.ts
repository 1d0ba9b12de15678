// Measures publishing a built site by the command line, against a push of the same files to git's own server. Also measures the cost for
// the service and its other users meanwhile, and a large file, up and down.

import { execFile } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { memoryMibOf } from '../neighbours/process-tree.js'
import type { Row } from '../ground/row.js'
import { median, palimpsest, PROGRAM, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'
import { changeThree, writeBuiltSite } from './built-site.js'
import { type GitBackend, startGitBackend } from './git-backend.js'
import { benchLargeFile } from './large-file.js'
import { PublisherBeside } from './publisher-beside.js'

const ROUNDS = 3
const MEMORY_LOOK_MS = 100
const run = promisify(execFile)

export async function benchDeploys(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const service = await runService()
    const backend = await startGitBackend(folder)
    try {
      return [...(await benchFolders(service, backend, folder)), ...(await benchLargeFile(service, folder))]
    } finally {
      await backend?.stop()
      await service.stop()
    }
  })
}

/** Milliseconds of each round. */
interface Times {
  version: number[]
  first: number[]
  push: number[]
  commitAndPush: number[]
  again: number[]
  changed: number[]
}

async function benchFolders(service: RunningService, backend: GitBackend | undefined, folder: string): Promise<Row[]> {
  const times: Times = { version: [], first: [], push: [], commitAndPush: [], again: [], changed: [] }
  const beside = await PublisherBeside.begin(service)
  const idleMib = memoryMibOf(service.pid)
  let mostMib = 0
  const memory = setInterval(() => (mostMib = Math.max(mostMib, memoryMibOf(service.pid))), MEMORY_LOOK_MS)
  const quiet = await beside.measure()
  for (let round = 0; round < ROUNDS; round++) {
    const site = join(folder, `site-${round}`)
    mkdirSync(site)
    writeBuiltSite(site, String(round))
    await takeRound(service, backend, { site, slug: `deployed-${round}`, beside, times })
  }
  clearInterval(memory)
  const [first, version] = [median(times.first), median(times.version)]
  const over = (what: string, list: readonly number[], most: number): Row => ({
    what: `${what}, against \`palimpsest --version\`: ${(median(list) - version).toFixed(0)} ms more`,
    target: `at most ${most} ms more`,
    ours: inSeconds(median(list)),
    peer: inSeconds(version),
    ratio: median(list) / version,
  })
  const against = (what: string, list: readonly number[], target: string): Row => ({
    what: `publish 2,000 files of 20 MB for the first time, against ${what}`,
    target,
    ours: inSeconds(first),
    peer: list.length === 0 ? 'nginx or fcgiwrap is not installed' : inSeconds(median(list)),
    ratio: first / median(list),
  })
  const felt = beside.felt
  return [
    against('`git push` of them, committed before, to git http-backend', times.push, 'at most 1 ×'),
    against('`git add`, `git commit` and that', times.commitAndPush, ''),
    over('again, unchanged', times.again, 300),
    over('again, 3 files changed', times.changed, 400),
    {
      what: 'most memory of all processes of the service meanwhile, against idle',
      target: 'under 100 MiB more',
      ours: `${mostMib.toFixed(0)} MiB`,
      peer: `${idleMib.toFixed(0)} MiB`,
      ratio: mostMib / idleMib,
    },
    {
      what: `p99 of another workspace's ${felt.length} publishes during first deploys, against ${quiet.length} before`,
      target: 'at most 50 ms more',
      ours: `${p99Of(felt).toFixed(1)} ms`,
      peer: `${p99Of(quiet).toFixed(1)} ms`,
      ratio: p99Of(felt) / p99Of(quiet),
    },
  ]
}

interface Round {
  site: string
  slug: string
  beside: PublisherBeside
  times: Times
}

async function takeRound(
  service: RunningService,
  backend: GitBackend | undefined,
  { site, slug, beside, times }: Round,
): Promise<void> {
  await palimpsest(service.dataDir, 'sites', 'create', slug)
  const publish = () => author(service, 'publish', site, '--site', slug)
  times.version.push(await timed(() => author(service, '--version')))
  times.first.push(await timed(() => beside.during(publish)))
  if (backend !== undefined) {
    const git = async (...args: string[]) => void (await run('git', ['-C', site, ...args]))
    const url = backend.create(slug)
    const [committed, pushed] = await pushTimes(git, url)
    times.push.push(pushed)
    times.commitAndPush.push(committed + pushed)
  }
  // By then the published pages are indexed.
  await service.get(`/pages?limit=1`)
  times.again.push(await timed(publish))
  changeThree(site, `changed ${slug}`)
  times.changed.push(await timed(publish))
}

async function pushTimes(git: (...args: string[]) => Promise<void>, url: string): Promise<[number, number]> {
  await git('init', '-q', '--initial-branch=main')
  const committed = await timed(async () => {
    await git('add', '-A')
    await git('-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', 'commit', '-q', '-m', 'Publish')
  })
  return [committed, await timed(() => git('push', '-q', url, 'main'))]
}

/** Runs an author's command with its own home folder. */
async function author({ port, key, dataDir }: RunningService, ...args: string[]): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    HOME: dataDir,
    BASE_URL: `http://127.0.0.1:${port}`,
    SERVICE_API_TOKEN: key,
  }
  await run(process.execPath, [PROGRAM, ...args], { env, maxBuffer: 1 << 28 })
}

function p99Of(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
}

function inSeconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
