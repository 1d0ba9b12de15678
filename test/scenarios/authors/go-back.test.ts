import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assertSound, git, withClone } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { type Page, put } from '../client.js'

/** `HISTORIES=50 npm test -- test/scenarios/authors/go-back.test.ts` tries more. */
const HISTORIES = Number(process.env['HISTORIES'] ?? 2)
const WRITES = 30
const RETURNS = 6
const PAGES = ['/', '/about', '/docs/', '/docs/install', '/docs/deep/use', '/news/one', '/news/two']
const FILES = ['/style.css', '/docs/logo.svg', '/news/feed.txt']

type Files = Record<string, string>
interface Back {
  commit: string | null
  changed: boolean
  dryRun?: { files: { path: string }[]; previewUrl: string }
}

describe('going back to a commit', () => {
  let running: TestService
  let service: TestService
  before(async () => {
    running = await startTestService()
  })
  beforeEach(async () => {
    service = await running.inNewWorkspace()
  })
  afterEach(() => service.stop())

  const head = () => git(service.gitdir(), 'rev-parse', 'main')
  const goBack = (body: object, query = '') => service.api().post(`/sites/${service.site.id}/undo${query}`).send(body)
  const back = async (body: object, query = '') => (await goBack(body, query).expect(200)).body.data as Back
  /** All files but the sidecars, as those of later pages stay, and but former addresses where something was published by git since. */
  const filesAt = (commit: string): Files => {
    const lines = git(service.gitdir(), 'ls-tree', '-r', '-z', commit).split('\0')
    const entries = lines.filter((line) => line !== '').map((line) => line.split('\t') as [string, string])
    const files = Object.fromEntries(entries.map(([entry, path]) => [path, entry]))
    const isTaken = (path: string) => {
      const { from } = JSON.parse(git(service.gitdir(), 'show', `${commit}:${path}`)) as { from: string }
      return [from, `${from}.html`, `${from}index.html`].some((each) => each.slice(1) in files)
    }
    const isLeft = ([path]: [string, string]) =>
      !path.startsWith('.pages/') && !(path.startsWith('.former/') && isTaken(path))
    return Object.fromEntries(Object.entries(files).filter(isLeft))
  }
  const idsOfPages = async (): Promise<Files> => {
    const { body } = await service.api().get('/pages?limit=1000').expect(200)
    return Object.fromEntries((body.data as Page[]).map(({ id, path, title }) => [path, `${id} ${title}`]))
  }

  for (let seed = 1; seed <= HISTORIES; seed++)
    it(`brings back the files and ids of any commit of random history ${seed}, and one undo takes that back`, async () => {
      const random = randomFrom(seed)
      const past = [{ commit: head(), ids: await idsOfPages() }]
      for (let write = 0; write < WRITES; write++) {
        await writeAtRandom(service, random)
        if (past.at(-1)?.commit !== head()) past.push({ commit: head(), ids: await idsOfPages() })
      }
      for (let turn = 0; turn < RETURNS; turn++) {
        const { commit: then, ids } = past[random(past.length)]!
        const before = { commit: head(), files: filesAt('main'), ids: await idsOfPages() }
        const because = `back to ${then} from ${before.commit}, seed ${seed}`
        const shown = await back({ backTo: then }, '?dryRun=true')
        const made = await back({ backTo: then })
        assert.deepEqual(filesAt('main'), filesAt(then), because)
        assert.deepEqual(await idsOfPages(), ids, because)
        assert.equal(made.changed, head() !== before.commit, because)
        assert.deepEqual(
          shown.dryRun?.files.map(({ path }) => path).toSorted(),
          git(service.gitdir(), 'diff', '--no-renames', '--name-only', '-z', before.commit, 'main')
            .split('\0')
            .filter((path) => path !== '')
            .toSorted(),
          because,
        )
        if (made.commit === null) continue
        assert.equal(git(service.gitdir(), 'rev-parse', 'main^'), before.commit, because)
        await back({ commits: [made.commit] })
        assert.deepEqual(filesAt('main'), before.files, because)
        assert.deepEqual(await idsOfPages(), before.ids, because)
        await assertPartsReturn(random, then, because)
      }
      assertSound(service.gitdir())
    })

  /** Brings a part back: that is as it was, and all else as it is. */
  const assertPartsReturn = async (random: Random, then: string, because: string) => {
    const places = [...PAGES, ...FILES, '/docs/', '/news/', '/docs/deep/', '/collections/']
    const paths = places.filter(() => random(4) === 0).slice(0, 3)
    if (paths.length === 0) return
    const [was, before, ids] = [filesAt(then), filesAt('main'), await idsOfPages()]
    const { status, body } = await goBack({ backTo: then, paths })
    const told = `${because}: ${paths.join(' ')} ${JSON.stringify(body)}`
    // A record does not come back without its collection, nor a file in place of a later one.
    if (status === 409) return assert.deepEqual(filesAt('main'), before, told)
    assert.equal(status, 200, told)
    const isChosen = (path: string) =>
      paths.some((each) =>
        each.endsWith('/') ? `/${path}`.startsWith(each) : [`${each}.html`, each].includes(`/${path}`),
      )
    const now = filesAt('main')
    for (const path of new Set([...Object.keys(was), ...Object.keys(before), ...Object.keys(now)]))
      if (!path.startsWith('.former/'))
        assert.equal(now[path], (isChosen(path) ? was : before)[path], `${told} ${path}`)
    const after = await idsOfPages()
    for (const [path, id] of Object.entries(ids))
      if (!isChosen(path === '/' ? 'index.html' : `${path.slice(1)}`) && after[path] !== undefined)
        assert.equal(after[path], id, `${told} ${path}`)
    return undefined
  }
})

type Random = (below: number) => number

/** One write of any kind, also by git. What the site refuses changes nothing. */
async function writeAtRandom(service: TestService, random: Random): Promise<void> {
  const api = service.api()
  const one = <T>(of: readonly T[]) => of[random(of.length)]!
  const pages = (await api.get('/pages?limit=1000')).body.data as Page[]
  const page = pages.length === 0 ? undefined : one(pages)
  const text = `<title>${random(5)}</title><p>${random(1_000)}`
  const what = random(9)
  if (what <= 2 || page === undefined) await put(api, one(PAGES), text).catch(() => undefined)
  else if (what === 3) await api.delete(`/pages/${page.id}${one(['', '?gone=true', '?redirectTo=/about'])}`)
  else if (what === 4) await api.patch(`/pages/${page.id}`).send({ path: one(PAGES) })
  else if (what === 5) await api.patch(`/pages/${page.id}`).send({ title: `Title ${random(5)}` })
  else if (what === 6)
    await api
      .put(`/files?path=${one(FILES)}`)
      .type('text/plain')
      .send(text)
  else if (what === 7) await writeRecord(service, random)
  else await push(service, one(PAGES), random)
}

async function writeRecord(service: TestService, random: Random): Promise<void> {
  const api = service.api()
  const [collection] = (await api.get('/collections')).body.data as { id: string }[]
  if (collection === undefined) await api.post('/collections').send({ name: 'Events' }).expect(201)
  else if (random(6) === 0) await api.delete(`/collections/${collection.id}`)
  else
    await api
      .post(`/collections/${collection.id}/records`)
      .send({ data: { at: random(100) } })
      .expect(201)
}

/** Pushes a page without a sidecar, or its removal. */
async function push(service: TestService, path: string, random: Random): Promise<void> {
  await withClone(service.gitdir(), (folder) => {
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : `${path}.html`)
    if (random(3) === 0) rmSync(file, { force: true })
    else {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, `<p>pushed ${random(1_000)}`)
    }
    git(folder, 'add', '-A')
    if (git(folder, 'status', '--porcelain') === '') return
    git(folder, 'commit', '-qm', 'By git')
    git(folder, 'push', '-q', 'origin', 'HEAD:main')
  })
}

/** Numbers below a bound, the same for the same seed (mulberry32). */
function randomFrom(seed: number): Random {
  let state = seed * 0x9e3779b9
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) % below
  }
}
