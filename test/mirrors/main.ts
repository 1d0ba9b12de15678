// `npm run test:system -- mirrors`: a service mirrors sites to `git http-backend` behind nginx with TLS, and to a second service like itself. Each change must be there
// within two seconds, also after any of the three was killed or restarted; where the remote has changes of its own, the mirror must stop.
// And what is said of certificates and redirects. Prints a line for each; exit code 1 where one does not hold. Needs Debian's nginx and fcgiwrap.

import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { makeKey, serve, type ServeProcess } from '../scenarios/serve-process.js'
import { freePort } from '../servers/ports.js'
import { GitOverTls, LOGIN, TOKEN } from './git-over-tls.js'

const PUBLISHES = 20
const MAX_LAG_MS = 2000
/** A remote that was away is tried again after 5 s, then after 30. */
const MAX_RETURN_MS = 40_000

const folder = mkdtempSync(join(tmpdir(), 'palimpsest-mirrors-'))
const dataDir = join(folder, 'data')
const otherDir = join(folder, 'other')
const remote = await GitOverTls.make(join(folder, 'remote'))
await remote.start()
writeFileSync(join(folder, 'secrets.key'), randomBytes(32))
const env = {
  REMOTE_ALLOW_PRIVATE: '127.0.0.1,::1',
  SECRETS_KEY_FILE: join(folder, 'secrets.key'),
  NODE_EXTRA_CA_CERTS: remote.authority,
}
const start = async () => await serve({ dataDir, env })
const otherPort = String(await freePort())
const startOther = async () => await serve({ dataDir: otherDir, env: { ...env, PORT: otherPort } })
let service = await start()
let other = await startOther()

try {
  const key = await makeKey(dataDir, 'admin')
  const otherKey = await makeKey(otherDir, 'admin')
  const api = () => service.api(key)
  const otherApi = () => other.api(otherKey)
  const idOf = async (slug: string) => (await list(api, slug))[0]?.id ?? ''

  await api().post('/sites').send({ slug: 'second' }).expect(201)
  const importUrl = `${service.origin}/git/demo.git`
  const importCredentials = { username: 'any', password: key }
  await otherApi().post('/sites').send({ slug: 'copy', importUrl, importCredentials }).expect(202)
  await until('the import does not end', async () => (await list(otherApi, 'copy')).length === 1)

  const bare = remote.create('second')
  const places = [
    { name: 'git http-backend', slug: 'second', gitdir: bare, url: remote.urls.basic('second'), credentials: LOGIN },
    {
      name: 'a second service',
      slug: 'demo',
      gitdir: join(otherDir, 'copy.git'),
      url: `${other.origin}/git/copy.git`,
      credentials: { username: 'any', password: otherKey },
    },
  ]
  let pages = 0
  const publish = async (slug: string) =>
    await api()
      .post('/pages')
      .set('x-service-site-id', await idOf(slug))
      .send({ path: `/page-${pages++}`, html: '<h1>page' })
      .expect(201)
  const set = async (slug: string, url: string, credentials?: object) =>
    await api()
      .put(`/sites/${await idOf(slug)}/mirror`)
      .send({ url, ...(credentials && { credentials }) })
      .expect(200)
  const look = async (slug: string) => {
    const { body } = await api()
      .get(`/sites/${await idOf(slug)}/mirror`)
      .expect(200)
    return (body as { data: { state: string; error: string | null } }).data
  }
  const settled = async (slug: string) => {
    await until('the mirror does not settle', async () => (await look(slug)).state !== 'behind')
    return await look(slug)
  }
  const refsOf = (gitdir: string) =>
    git(gitdir, 'for-each-ref', '--format=%(refname) %(objectname)', 'refs/heads/main', 'refs/tags')
  const follows = async ({ slug, gitdir }: (typeof places)[number], within: number) =>
    await until(`${slug} does not follow`, () => refsOf(gitdir) === refsOf(join(dataDir, `${slug}.git`)), within)

  for (const place of places) {
    const { name, slug, url, credentials } = place
    await check(`${name}: is set`, async () => {
      await set(slug, url, credentials)
      const { state, error } = await settled(slug)
      return state === 'ok' ? 'ok' : `FAILED: ${error}`
    })
    await check(`${name}: follows each of ${PUBLISHES} publishes and tags`, async () => {
      const lags: number[] = []
      for (let n = 0; n < PUBLISHES; n++) {
        await publish(slug)
        if (n % 2 === 0) git(join(dataDir, `${slug}.git`), 'tag', `v${n}`, 'main')
        lags.push(await follows(place, MAX_LAG_MS))
      }
      lags.sort((a, b) => a - b)
      return `ok, median ${lags[PUBLISHES / 2]} ms, longest ${lags.at(-1)} ms`
    })
    await check(`${name}: follows after the service was killed`, async () => {
      const published = publish(slug)
      await published
      service.signal('SIGKILL')
      await service.ended
      service = await start()
      return `ok, ${await follows(place, MAX_LAG_MS)} ms after the start`
    })
    await check(`${name}: follows once the remote is back`, async () => {
      const restart = name === 'git http-backend' ? restartBackend : restartOther
      return `ok, ${await restart(
        async () => {
          await publish(slug)
          await until('no failure is noted', async () => (await look(slug)).state === 'failed')
        },
        async () => await follows(place, MAX_RETURN_MS),
      )} ms after its start`
    })
    await check(`${name}: stops where the remote has changes of its own`, async () => {
      const theirs = await changeRemote(place.gitdir)
      await publish(slug)
      await until('the mirror goes on', async () => (await look(slug)).state === 'diverged')
      await publish(slug)
      await pause(MAX_LAG_MS)
      return git(place.gitdir, 'rev-parse', 'main') === theirs ? 'ok' : 'FAILED: the remote was changed'
    })
  }

  async function changeRemote(gitdir: string): Promise<string> {
    if (gitdir === bare) {
      const theirs = git(bare, 'commit-tree', 'main^{tree}', '-p', 'main', '-m', 'Their own')
      git(bare, 'update-ref', 'refs/heads/main', theirs)
      return theirs
    }
    const [copy] = await list(otherApi, 'copy')
    const page = { path: '/their-own', html: '<h1>theirs' }
    await otherApi()
      .post('/pages')
      .set('x-service-site-id', copy?.id ?? '')
      .send(page)
      .expect(201)
    return git(gitdir, 'rev-parse', 'main')
  }

  remote.create('words')
  const words: [string, string, object | undefined, RegExp][] = [
    ['a bearer token', remote.urls.bearer('words'), { password: TOKEN }, /^null$/],
    ['another bearer token', remote.urls.bearer('words'), { password: 'x' }, /does not accept the token/],
    ['another password', remote.urls.basic('words'), { ...LOGIN, password: 'x' }, /does not accept the user name and/],
    ['an unknown authority', remote.urls.selfSigned('words'), LOGIN, /authority that this service does not trust/],
    ['another name', remote.urls.otherName('words'), LOGIN, /shows a certificate for another name: 127\.0\.0\.1/],
    ['a redirect to https', remote.urls.plain('words'), LOGIN, /redirects to another address of this host: use https:/],
    ['no TLS at the port', remote.urls.wrongScheme('words'), LOGIN, /does not speak https at that port/],
  ]
  await api().post('/sites').send({ slug: 'words' }).expect(201)
  for (const [what, url, credentials, expected] of words)
    await check(what, async () => {
      await set('words', url, credentials)
      const { error } = await settled('words')
      return `${expected.test(String(error)) ? 'ok' : 'FAILED'}: ${error ?? 'it is pushed'}`
    })
} finally {
  await remote.stop()
  for (const each of [service, other]) {
    each.signal('SIGTERM')
    await each.ended
  }
  rmSync(folder, { recursive: true, force: true })
}

async function restartBackend(whileAway: () => Promise<void>, follow: () => Promise<number>): Promise<number> {
  await remote.stop()
  await whileAway()
  await remote.start()
  return await follow()
}

async function restartOther(whileAway: () => Promise<void>, follow: () => Promise<number>): Promise<number> {
  other.signal('SIGKILL')
  await other.ended
  await whileAway()
  other = await startOther()
  return await follow()
}

async function list(api: () => ReturnType<ServeProcess['api']>, slug: string): Promise<{ id: string }[]> {
  const { body } = await api().get(`/sites?slug=${slug}`).expect(200)
  return (body as { data: { id: string }[] }).data
}

/** Resolves with the milliseconds that it took. */
async function until(otherwise: string, holds: () => boolean | Promise<boolean>, within = 30_000): Promise<number> {
  const begun = performance.now()
  while (!(await holds())) {
    if (performance.now() - begun > within) throw new Error(`${otherwise} within ${within} ms`)
    await pause(10)
  }
  return Math.round(performance.now() - begun)
}

async function check(what: string, run: () => Promise<string>): Promise<void> {
  const outcome = await run().catch(
    (error: unknown) => `FAILED: ${error instanceof Error ? error.message : String(error)}`,
  )
  console.log(`${what}: ${outcome}`)
  if (outcome.startsWith('FAILED')) process.exitCode = 1
}

function git(gitdir: string, ...args: string[]): string {
  const identity = {
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@example.org',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@example.org',
  }
  return execFileSync('git', ['--git-dir', gitdir, ...args], {
    encoding: 'utf8',
    env: { ...process.env, ...identity },
  }).trim()
}
