import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { assertSound, git, withClone } from '../../support/git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { type Page, put } from '../../scenarios/client.js'

/** `HISTORIES=50 npm test -- test/usecases/sites/go-back.test.ts` tries more. */
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

  it('shows a dry run with a preview, does it once for each key, and says what it did', async () => {
    await put(service.api(), '/about', 'then')
    const then = head()
    await put(service.api(), '/about', 'now')
    await put(service.api(), '/later', 'later')
    const shown = await back({ backTo: then.slice(0, 10) }, '?dryRun=true')
    assert.deepEqual([shown.commit, shown.changed], [null, true])
    assert.match(shown.dryRun?.previewUrl ?? '', /preview--/)
    assert.equal((await service.visit('/about')).text, 'now')
    const send = () => goBack({ backTo: then, paths: ['/about'], reason: 'It was better' }).set('Idempotency-Key', 'b')
    const first = (await send().expect(200)).body.data as Back
    assert.deepEqual((await send().expect(200)).body.data, first)
    assert.equal((await service.visit('/about')).text, 'then')
    assert.equal((await service.visit('/later')).text, 'later')
    const message = git(service.gitdir(), 'log', '-1', '--format=%B', 'main')
    assert.match(message, /^It was better\n\nThis goes back to commit [0-9a-f]{40}\.\n/)
    assert.match(message, new RegExp(`Go back to ${then.slice(0, 10)} in /about`))
    assert.equal((await back({ backTo: then, paths: ['/about'] })).changed, false)
  })

  it('keeps to the paths of a key, to change requests, and never brings a withdrawn version back', async () => {
    const page = await put(service.api(), '/blog/one', 'secret')
    const then = head()
    await put(service.api(), '/blog/one', 'public')
    await put(service.api(), '/about', 'about')
    const { key } = await service.mint({ scopes: ['read', 'write'], paths: ['/blog/*'] })
    const limited = (body: object) => service.api(key).post(`/sites/${service.site.id}/undo`).send(body)
    assert.equal((await limited({ backTo: then }).expect(403)).body.error.code, 'path_not_allowed')
    const made = (await limited({ backTo: then, paths: ['/blog/'] }).expect(200)).body.data as Back
    await back({ commits: [made.commit] })
    const before = head()
    const proposed = await goBack({ backTo: then }, '?changeRequest=new').expect(200)
    assert.equal((proposed.body as { data: Back }).data.changed, true)
    assert.equal(head(), before)
    await service.api().post(`/pages/${page.id}/versions/1/withdraw`).expect(200)
    const refused = await goBack({ backTo: then }).expect(409)
    assert.match(refused.body.error.message, /withdrawn/)
    assert.equal((await service.visit('/blog/one')).text, 'public')
  })

  it('refuses what it cannot understand', async () => {
    const then = head()
    for (const [body, code] of [
      [{ backTo: then, commits: [then] }, 'invalid_body'],
      [{ commits: [then], paths: ['/about'] }, 'invalid_body'],
      [{}, 'invalid_body'],
      [{ backTo: then, paths: ['about'] }, 'invalid_path'],
      [{ backTo: '0'.repeat(40) }, 'version_not_found'],
    ] as const)
      assert.equal((await goBack(body)).body.error.code, code, JSON.stringify(body))
    assert.equal(head(), then)
  })

  it('numbers commits along the history, and lists them from a number back', async () => {
    for (const text of ['one', 'two', 'three']) await put(service.api(), '/about', text)
    const list = async (query: string) => {
      const { body } = await service.api().get(`/sites/${service.site.id}/commits${query}`).expect(200)
      return (body.data as { id: string; number: number }[]).map(({ id, number }) => [id, number])
    }
    const all = git(service.gitdir(), 'rev-list', '--first-parent', 'main').split('\n')
    const numbered = all.map((id, at) => [id, all.length - at])
    assert.deepEqual(await list(''), numbered)
    assert.deepEqual(await list('?upTo=2&limit=1'), numbered.slice(-2, -1))
    assert.deepEqual(await list('?upTo=1000'), numbered)
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
      if (!isChosen(path === '/' ? 'index.html' : path.slice(1)) && after[path] !== undefined)
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
