// `npm run test:system -- git-clients [-- nothing nginx Caddy]`: git clients of other projects work with a site, directly and behind the
// proxies of docs/deploy.md as documented. Every clone must pass `git fsck --full --strict`, every push must be live. Then it pushes
// 300 MiB each way. Prints the table of docs/git.md. Exits with 1 if a feature that a client has does not work,
// and with 2 for an unknown way.

import { execFile, execFileSync } from 'node:child_process'
import { randomFillSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { visit } from '../scenarios/client.js'
import { makeKey, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { PROXIES, startProxy } from '../servers/proxies.js'
import { RemoteGit } from '../support/remote-git.js'
import { type Outcomes, type Site, type Step, workByGit } from './by-git.js'

const STEPS: readonly Step[] = ['clone', 'fetch', 'shallow', 'partial', 'push', 'tag', 'options']
/** Debian's, which has dulwich and pygit2. */
const PYTHON = '/usr/bin/python3'
const MIB = 1024 * 1024
/** The way without a proxy. */
const DIRECT = 'nothing'
/** No other client clones it. */
const LARGE_SITE = 'large'
const LARGE_FILES = 5
const LARGE_FILE_BYTES = 60 * MIB
const run = promisify(execFile)

interface Client {
  name: string
  work(site: Site, page: string): Promise<Outcomes>
}

const CLIENTS: readonly Client[] = [
  ...[0, 1, 2].map((version) => ({
    name: `git, protocol.version ${version}`,
    work: (site: Site, page: string) => workByGit(version, site, page),
  })),
  {
    name: 'isomorphic-git',
    work: workBy(process.execPath, fileURLToPath(new URL('by-isomorphic.js', import.meta.url))),
  },
  { name: 'dulwich', work: workBy(PYTHON, 'test/git-clients/by-dulwich.py') },
  { name: 'libgit2', work: workBy(PYTHON, 'test/git-clients/by-libgit2.py') },
]

const wanted = process.argv.slice(2)
const ways = [DIRECT, ...PROXIES.map(({ name }) => name)]
const unknown = wanted.filter((name) => !ways.includes(name))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')}; there are ${ways.join(', ')}.`)
  process.exit(2)
}
const folder = mkdtempSync(join(tmpdir(), 'palimpsest-clients-'))
const dataDir = join(folder, 'data')
const service = await serve({ dataDir })
try {
  const key = await makeKey(dataDir, 'admin')
  await service.api(key).post('/sites').send({ slug: LARGE_SITE }).expect(201)
  say(['client', 'through', ...STEPS, '`git fsck --strict`'])
  say(['client', 'through', ...STEPS, 'fsck'].map(() => '---'))
  for (const { name, origin, certificate, stop } of await openEndpoints(service)) {
    const urlOf = (slug: string) => `${origin.replace('//', `//git:${key}@`)}/git/${slug}.git`
    for (const [n, client] of CLIENTS.entries()) {
      const site = { url: urlOf('demo'), certificate, folder: join(folder, `clones-${name}-${n}`) }
      mkdirSync(site.folder)
      say([client.name, name, ...(await judge(client, site, `page-${name.toLowerCase()}-${n}`))])
    }
    const size = `${(LARGE_FILES * LARGE_FILE_BYTES) / MIB} MiB`
    say([`git, a push of ${size}`, name, '', '', '', '', await pushLarge(urlOf(LARGE_SITE), certificate), '', '', ''])
    await stop()
  }
} finally {
  service.signal('SIGTERM')
  await service.ended
  rmSync(folder, { recursive: true, force: true })
}

/** A row, once it is known. */
function say(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
  if (cells.some((cell) => cell.startsWith('FAILED'))) process.exitCode = 1
}

interface Endpoint {
  name: string
  origin: string
  certificate: string | undefined
  stop: () => Promise<void>
}

async function openEndpoints({ port, origin }: ServeProcess): Promise<Endpoint[]> {
  const direct = { name: DIRECT, origin, certificate: undefined, stop: () => Promise.resolve() }
  const isWanted = ({ name }: { name: string }) => wanted.length === 0 || wanted.includes(name)
  const endpoints: Endpoint[] = [direct].filter(isWanted)
  for (const proxy of PROXIES.filter(isWanted)) {
    const place = join(folder, proxy.name)
    mkdirSync(place)
    const started = await startProxy(proxy, { folder: place, servicePort: port, baseHost: 'localhost' })
    if (started === undefined) console.error(`${proxy.name} is not installed`)
    else {
      const certificate = join(place, 'fullchain.pem')
      endpoints.push({
        name: proxy.name,
        origin: `https://localhost:${started.https}`,
        certificate,
        stop: started.stop,
      })
    }
  }
  return endpoints
}

/** A program that prints a line for each step. */
function workBy(program: string, script: string): Client['work'] {
  return async ({ url, certificate, folder: clones }, page) => {
    if (certificate !== undefined) writeFileSync(join(clones, '.gitconfig'), `[http]\n\tsslCAInfo = ${certificate}\n`)
    const trust = certificate === undefined ? {} : { NODE_EXTRA_CA_CERTS: certificate }
    const options = { env: { PATH: process.env['PATH'], HOME: clones, ...trust }, maxBuffer: 1 << 24 }
    const { stdout } = await run(program, [script, url, clones, page], options)
    return Object.fromEntries(
      stdout
        .trim()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]),
    )
  }
}

async function judge(client: Client, site: Site, page: string): Promise<string[]> {
  const outcomes = await client.work(site, page).catch((error: unknown): Outcomes => ({ clone: String(error) }))
  const { bytes } = await visit(service.origin, `http://demo.localhost/${page}`)
  if (outcomes.push === 'ok' && bytes.toString() !== `<p>by ${page}`) outcomes.push = 'it is not live'
  return [...STEPS.map((step) => cellOf(outcomes[step])), fsck(site.folder)]
}

function cellOf(outcome = 'no answer'): string {
  return outcome === 'ok' ? 'yes' : outcome === 'none' ? 'it has none' : `FAILED: ${outcome}`
}

function fsck(clones: string): string {
  const found = readdirSync(clones, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  try {
    for (const { name } of found)
      execFileSync('git', ['-C', join(clones, name), 'fsck', '--full', '--strict'], { stdio: 'pipe' })
    return `${found.length} clones`
  } catch (error) {
    return `FAILED: ${String(error)}`
  }
}

/** Bytes that no compression makes shorter: the client looks for none. */
async function pushLarge(url: string, certificate: string | undefined): Promise<string> {
  const git = new RemoteGit([
    'core.compression=0',
    'core.bigFileThreshold=1m',
    ...(certificate === undefined ? [] : [`http.sslCAInfo=${certificate}`]),
  ])
  try {
    await git.run('clone', '--quiet', '--no-checkout', '--filter=blob:none', url, 'large')
    await git.in('large', 'reset', '--quiet')
    for (let n = 0; n < LARGE_FILES; n++)
      writeFileSync(git.path(`large/large-${n}.bin`), randomFillSync(Buffer.alloc(LARGE_FILE_BYTES)))
    await git.in('large', 'add', '*.bin')
    await git.in('large', 'commit', '--quiet', '-m', 'Add large files')
    const started = performance.now()
    await git.in('large', 'push', '--quiet')
    return `${((performance.now() - started) / 1000).toFixed(1)} s`
  } catch (error) {
    return `FAILED: ${String(error)}`
  } finally {
    git.remove()
  }
}
