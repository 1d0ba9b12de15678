// Compares git over HTTP with git's own server, `git http-backend` behind nginx and fcgiwrap, by turns: a fetch that finds nothing new,
// clones, a file that a partial clone fetches later, and a push of one page.

import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeBuiltSite } from '../deploys/built-site.js'
import { type GitBackend, startGitBackend } from '../deploys/git-backend.js'
import { importSite } from '../ground/import-site.js'
import { growRepository } from '../ground/large-repository.js'
import type { Row } from '../ground/row.js'
import { median, palimpsest, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'
import { ask, type Remote, replayFetches, wantOf } from './replay.js'

const QUICK = process.env['BENCH_QUICK'] === '1'
const ROUNDS = QUICK ? 1 : 5
const SHORT_ROUNDS = QUICK ? 1 : 15
const FETCH_MS = QUICK ? 1000 : 2000
const LAZY_FETCHES = QUICK ? 10 : 100
const PUSHES = QUICK ? 3 : 20
const LONG_HISTORY = QUICK ? 1_000 : 100_000
const PAGES = 5_000
const FOLDERS = 100
const run = promisify(execFile)

/** One repository on both servers. */
interface Twin {
  ours: Remote
  peer: Remote
  /** On the disk of the service. */
  gitdir: string
}

export async function benchGit(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const backend = await startGitBackend(folder)
    if (backend === undefined)
      return [{ what: 'nginx, fcgiwrap or git http-backend is not installed', ours: '', peer: '', ratio: Number.NaN }]
    const service = await runService()
    try {
      const built = await publishTwin(service, backend, 'built', await builtRepository(folder))
      const long = join(folder, 'long.git')
      await growRepository(long, { pages: PAGES, commits: LONG_HISTORY, folders: FOLDERS })
      const history = await publishTwin(service, backend, 'history', long)
      return [
        await compareFetches(built),
        await compareClones('a site of 2,000 files, 20 MB', built, folder, SHORT_ROUNDS),
        await compareClones(`a site of ${LONG_HISTORY} commits`, history, folder, ROUNDS),
        await compareLazyFetches(built),
        await comparePushes(built, folder),
      ]
    } finally {
      await service.stop()
      await backend.stop()
    }
  })
}

async function builtRepository(folder: string): Promise<string> {
  const site = join(folder, 'built')
  mkdirSync(site)
  writeBuiltSite(site, 'git')
  const git = (...args: string[]) =>
    run('git', ['-C', site, '-c', 'user.name=Bench', '-c', 'user.email=bench@localhost', ...args])
  await git('init', '-q', '--initial-branch=main')
  await git('add', '-A')
  await git('commit', '-q', '-m', 'Publish')
  return join(site, '.git')
}

/** Publishes the same repository on both servers: each gets the commits of the imported site in one pack. */
async function publishTwin(service: RunningService, backend: GitBackend, slug: string, source: string): Promise<Twin> {
  if (slug === 'history') await importSite(service, slug, source)
  else await palimpsest(service.dataDir, 'sites', 'import', slug, source)
  const gitdir = join(service.dataDir, `${slug}.git`)
  const url = backend.create(slug)
  const copy = backend.folderOf(slug)
  await run('git', ['-C', copy, 'fetch', '-q', gitdir, 'main:main'])
  for (const repository of [gitdir, copy])
    await run('git', ['-C', repository, 'repack', '-adq', '--write-bitmap-index'])
  await run('git', ['-C', copy, 'config', 'core.fsync', 'all'])
  await run('git', ['-C', copy, 'config', 'receive.fsckObjects', 'true'])
  const headers = { Authorization: `Bearer ${service.key}` }
  return {
    ours: { url: `http://127.0.0.1:${service.port}/git/${slug}.git`, headers },
    peer: { url, headers: {} },
    gitdir,
  }
}

async function compareFetches({ ours, peer }: Twin): Promise<Row> {
  const rates: [number[], number[]] = [[], []]
  for (let round = 0; round < SHORT_ROUNDS; round++) {
    rates[0].push(await replayFetches(ours, FETCH_MS))
    rates[1].push(await replayFetches(peer, FETCH_MS))
  }
  const [own, other] = [median(rates[0]), median(rates[1])]
  return {
    what: 'fetches that find nothing new, replayed over 4 connections',
    target: 'at least 5 ×',
    ours: `${own.toFixed(0)} /s`,
    peer: `${other.toFixed(0)} /s`,
    ratio: own / other,
  }
}

async function compareClones(what: string, { ours, peer }: Twin, folder: string, rounds: number): Promise<Row> {
  const clone = async ({ url, headers }: Remote) => {
    const target = join(folder, 'clone')
    const time = await timed(() => run('git', [...fieldsOf(headers), 'clone', '-q', '--bare', url, target]))
    rmSync(target, { recursive: true })
    return time
  }
  const [own, other] = await inTurns(rounds, [() => clone(ours), () => clone(peer)])
  return {
    what: `git clone of ${what}: rates`,
    target: 'at least 0.9 ×',
    ours: seconds(own),
    peer: seconds(other),
    ratio: other / own,
  }
}

async function compareLazyFetches({ ours, gitdir }: Twin): Promise<Row> {
  const listed = execFileSync('git', ['-C', gitdir, 'ls-tree', '-r', 'main'], { encoding: 'utf8', maxBuffer: 1 << 26 })
  const blobs = Array.from(listed.matchAll(/ blob ([0-9a-f]{40})\t/g), ([, oid = '']) => oid).slice(0, LAZY_FETCHES)
  const agent = new Agent({ keepAlive: true })
  const bodies = blobs.map(wantOf)
  const next = bodies[Symbol.iterator]()
  const again = bodies[Symbol.iterator]()
  // The first request lists the objects that main reaches.
  await ask(ours, agent, '/git-upload-pack', bodies[0])
  const [own, alone] = await inTurns(blobs.length, [
    () => timed(() => ask(ours, agent, '/git-upload-pack', next.next().value)),
    () => timed(() => uploadPack(gitdir, again.next().value ?? Buffer.alloc(0))),
  ])
  agent.destroy()
  return {
    what: `a file that a partial clone fetches later, against git upload-pack alone: ${(own - alone).toFixed(1)} ms more`,
    target: 'at most 5 ms more',
    ours: `${own.toFixed(1)} ms`,
    peer: `${alone.toFixed(1)} ms`,
    ratio: own / alone,
  }
}

async function uploadPack(gitdir: string, input: Buffer): Promise<void> {
  const settings = ['-c', 'uploadpack.allowFilter=true', '-c', 'uploadpack.allowAnySHA1InWant=true']
  const git = spawn('git', [...settings, 'upload-pack', '--stateless-rpc', gitdir], {
    env: { ...process.env, GIT_PROTOCOL: 'version=2' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  git.stdin.end(input)
  git.stdout.resume()
  const [code] = await once(git, 'close')
  if (code !== 0) throw new Error(`git upload-pack ended with ${String(code)}`)
}

/** Compares pushes. The commit is made before the measurement; both servers sync the data that they store. */
async function comparePushes({ ours, peer }: Twin, folder: string): Promise<Row> {
  const pushers = await Promise.all(
    [ours, peer].map(async ({ url, headers }, index) => {
      const clone = join(folder, `pusher-${index}`)
      await run('git', [...fieldsOf(headers), 'clone', '-q', url, clone])
      const git = (...args: string[]) =>
        run('git', [
          '-C',
          clone,
          ...fieldsOf(headers),
          '-c',
          'user.name=Bench',
          '-c',
          'user.email=bench@localhost',
          ...args,
        ])
      let round = 0
      return async () => {
        writeFileSync(join(clone, 'section-0', 'file-0.html'), `<p>${(round += 1)}`)
        await git('commit', '-q', '-a', '-m', 'Replace a page')
        return await timed(() => git('push', '-q', 'origin', 'main'))
      }
    }),
  )
  const [own, other] = await inTurns(PUSHES, pushers)
  return {
    what: 'git push of one page, end to end',
    target: 'at most 1.0 ×',
    ours: `${own.toFixed(0)} ms`,
    peer: `${other.toFixed(0)} ms`,
    ratio: own / other,
  }
}

/** Returns the medians of the works, which run by turns, `rounds` times each. */
async function inTurns(rounds: number, works: readonly (() => Promise<number>)[]): Promise<[number, number]> {
  const times = works.map((): number[] => [])
  for (let round = 0; round < rounds; round++)
    for (const [index, work] of works.entries()) times[index]?.push(await work())
  return [median(times[0] ?? []), median(times[1] ?? [])]
}

function fieldsOf(headers: Remote['headers']): string[] {
  return Object.entries(headers).flatMap(([name, value]) => ['-c', `http.extraHeader=${name}: ${value}`])
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`
}
