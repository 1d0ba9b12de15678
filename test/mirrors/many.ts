// `npm run test:system -- many-mirrors [-- count]`: 500 sites, or as many, of four workspaces, each with a mirror at `git http-backend` behind nginx
// with TLS. All are published to in a short time; then half of them again, and the service is killed. Each mirror must catch up, and a
// neighbour's publishes go on. Prints how long it took, and what the service used. Exit code 1 where a mirror was forgotten. Needs
// Debian's nginx and fcgiwrap.

import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { memoryMibOf, treeOf } from '../../bench/neighbours/process-tree.js'
import { runPalimpsest, serve } from '../scenarios/serve-process.js'
import { GitOverTls, LOGIN } from './git-over-tls.js'

const SITES = Number(process.argv[2] ?? 500)
const WORKSPACES = 4
const PUBLISHERS = 20
const MAX_WAIT_MS = 240_000
const LOOK_MS = 50
/** It costs some milliseconds. */
const LOOK_AT_MEMORY_MS = 1000
const NEIGHBOUR_EACH_MS = 50
const QUIET_MS = 10_000

interface MirroredSite {
  slug: string
  id: string
  key: string
  bare: string
}

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-many-mirrors-'))
const dataDir = join(folder, 'data')
const remote = await GitOverTls.make(join(folder, 'remote'))
await remote.start()
writeFileSync(join(folder, 'secrets.key'), randomBytes(32))
const env = {
  REMOTE_ALLOW_PRIVATE: '127.0.0.1',
  SECRETS_KEY_FILE: join(folder, 'secrets.key'),
  NODE_EXTRA_CA_CERTS: remote.authority,
}
let service = await serve({ dataDir, env })

try {
  const neighbour = await keyOf('neighbour')
  const keys: string[] = []
  for (let n = 0; n < WORKSPACES; n++) keys.push(await keyOf(`workspace-${n}`))
  const model = remote.create('site-0')
  const sites = await atOnce(
    Array.from({ length: SITES }, (_, n) => n),
    async (n) => {
      const [slug, key = ''] = [`site-${n}`, keys[n % WORKSPACES]]
      const bare = model.replace('site-0', slug)
      if (n > 0) cpSync(model, bare, { recursive: true })
      const { body } = await service.api(key).post('/sites').send({ slug }).expect(201)
      return { slug, id: (body as { data: { id: string } }).data.id, key, bare }
    },
  )
  const publishesOfNeighbour = watchNeighbour(neighbour)
  await pause(QUIET_MS)
  console.log(`a neighbour's publish before: ${told(publishesOfNeighbour.take())}`)

  const use = watchUse()
  await burst('mirrors are set', sites, async ({ id, slug, key }) => {
    const body = { url: remote.urls.basic(slug), credentials: LOGIN }
    await service.api(key).put(`/sites/${id}/mirror`).send(body).expect(200)
  })
  await burst('each site is published to', sites, publish)
  console.log(`a neighbour's publish meanwhile: ${told(publishesOfNeighbour.take())}`)
  console.log(`the service: ${use.end()}`)

  await publishesOfNeighbour.end()
  const half = Math.floor(sites.length / 2)
  await atOnce(sites.slice(0, half), publish)
  const pushed = sites.filter(isFollowed).length
  service.signal('SIGKILL')
  await service.ended
  service = await serve({ dataDir, env })
  const restarted = performance.now()
  await follow(sites, () => restarted)
  console.log(
    `killed after ${half} publishes, of which ${pushed - half} were pushed: all ${SITES} mirrors follow ${since(restarted)} after the start`,
  )
  const states = await atOnce(sites, async ({ id, key }) => await stateOf(id, key))
  const wrong = states.filter((state) => state !== 'ok')
  console.log(wrong.length === 0 ? 'ok: all mirrors say so' : `FAILED: ${wrong.length} mirrors are ${wrong[0]}`)
  if (wrong.length > 0) process.exitCode = 1
} finally {
  service.signal('SIGTERM')
  await service.ended
  await remote.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function keyOf(workspace: string): Promise<string> {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runPalimpsest({ DATA_DIR: dataDir }, ...args)
    if (code !== 0) throw new Error(stderr)
    return stdout.trim()
  }
  await run('workspaces', 'create', workspace, '--site', workspace)
  return await run('keys', 'create', '--scopes', 'admin', '--workspace', workspace)
}

async function publish({ id, key }: MirroredSite): Promise<void> {
  const page = { html: `<h1>${randomBytes(8).toString('hex')}</h1>` }
  const answer = await service.api(key).put('/pages?path=/page').set('x-service-site-id', id).send(page)
  if (!answer.ok) throw new Error(answer.text)
}

/** Does it to all sites, and tells when their mirrors had followed: each counts from its own answer. */
async function burst(what: string, sites: readonly MirroredSite[], run: (site: MirroredSite) => Promise<void>) {
  const answeredAt = new Map<string, number>()
  const begun = performance.now()
  const running = atOnce(sites, async (site) => {
    await run(site)
    answeredAt.set(site.slug, performance.now())
  })
  const lags = follow(sites, ({ slug }) => answeredAt.get(slug))
  await running
  const answered = since(begun)
  const sorted = (await lags).toSorted((a, b) => a - b)
  const [first = 0, middle = 0, last = 0] = [sorted[0], sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map(
    seconds,
  )
  console.log(
    `${what}: all answered after ${answered}, followed after ${since(begun)}; the first ${first} s behind its answer, the middle one ${middle} s, the last ${last} s`,
  )
}

/** Resolves once each mirror shows what its site has, with the milliseconds from `from` to that; not looked at before there is a `from`. */
async function follow(
  sites: readonly MirroredSite[],
  from: (site: MirroredSite) => number | undefined,
): Promise<number[]> {
  const lags: number[] = []
  const waiting = new Set(sites)
  for (const end = performance.now() + MAX_WAIT_MS; waiting.size > 0; await pause(LOOK_MS)) {
    for (const site of waiting) {
      const begun = from(site)
      if (begun === undefined || !isFollowed(site)) continue
      lags.push(performance.now() - begun)
      waiting.delete(site)
    }
    if (performance.now() > end) throw new Error(`${waiting.size} mirrors do not follow within ${MAX_WAIT_MS} ms`)
  }
  return lags
}

function isFollowed({ slug, bare }: MirroredSite): boolean {
  const there = mainOf(bare)
  return there !== undefined && there === mainOf(join(dataDir, `${slug}.git`))
}

function mainOf(gitdir: string): string | undefined {
  try {
    return readFileSync(join(gitdir, 'refs/heads/main'), 'utf8')
  } catch {
    return undefined
  }
}

async function stateOf(id: string, key: string): Promise<string> {
  const { body } = await service.api(key).get(`/sites/${id}/mirror`).expect(200)
  return (body as { data: { state: string } }).data.state
}

/** Publishes now and again; `take` answers the milliseconds of those since the last call. */
function watchNeighbour(key: string) {
  const times: number[] = []
  const stop = new AbortController()
  const run = async () => {
    for (let n = 0; !stop.signal.aborted; n++) {
      const begun = performance.now()
      const answer = await service
        .api(key)
        .put('/pages?path=/neighbour')
        .send({ html: `<h1>${n}</h1>` })
      if (!answer.ok) throw new Error(answer.text)
      times.push(performance.now() - begun)
      await pause(NEIGHBOUR_EACH_MS)
    }
  }
  const running = run()
  return {
    take: () => times.splice(0),
    end: async () => {
      stop.abort()
      await running
    },
  }
}

/** Measures the service's peak use from now to `end`. */
function watchUse() {
  const before = memoryMibOf(service.pid)
  let memory = before
  let programs = 0
  const timers = [
    setInterval(() => (memory = Math.max(memory, memoryMibOf(service.pid))), LOOK_AT_MEMORY_MS),
    setInterval(() => (programs = Math.max(programs, treeOf(service.pid).filter(isGit).length)), LOOK_MS),
  ]
  return {
    end() {
      for (const timer of timers) clearInterval(timer)
      return `${Math.round(before)} MiB before, ${Math.round(memory)} MiB at most; at most ${programs} processes of git at once`
    },
  }
}

function isGit(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('git')
  } catch {
    return false
  }
}

/** Some at a time, in order. */
async function atOnce<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const rest = [...items.entries()]
  const work = async () => {
    for (let next = rest.shift(); next !== undefined; next = rest.shift()) results[next[0]] = await run(next[1])
  }
  await Promise.all(Array.from({ length: PUBLISHERS }, work))
  return results
}

function told(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const [middle = 0, slow = 0] = [0.5, 0.99].map((part) => Math.round(sorted[Math.floor(sorted.length * part)] ?? 0))
  return `the middle one of ${times.length} took ${middle} ms, the slowest hundredth ${slow} ms`
}

function seconds(ms = 0): number {
  return Math.round(ms / 100) / 10
}

function since(begun: number): string {
  return `${seconds(performance.now() - begun)} s`
}
