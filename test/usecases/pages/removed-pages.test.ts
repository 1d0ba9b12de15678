// Pages that go, by every way that they came and by every way out: each stays known, and its path gets its id back.

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { createClient, deploy } from '../../../src/protocols/client/client.js'
import { derivePageId } from '../../../src/model/ids.js'
import { folder } from '../../protocols/client/deploy-files.js'
import { git } from '../../support/git.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startOwnService, startTestService, type TestService } from '../../support/service.js'
import { type Page, put } from '../../scenarios/client.js'

type Listed = Pick<Page, 'id' | 'path' | 'status' | 'version'>

/** A site, and a clone of it by which pages come and go too. */
class Site {
  readonly service: TestService
  readonly client = new RemoteGit()
  #hasClone = false

  constructor(service: TestService) {
    this.service = service
  }

  head(): string {
    return git(this.service.gitdir(), 'rev-parse', 'main')
  }

  async publish(path: string, html: string): Promise<string> {
    return (await put(this.service.api(), path, html, this.service.site.id)).id
  }

  /** Pushes a file. */
  async push(name: string, html: string): Promise<void> {
    await this.#pull()
    writeFileSync(join(this.client.path('clone'), name), html)
    await this.client.in('clone', 'add', '--all')
    await this.#finish(`Add ${name}`)
  }

  /** Pushes that these files are removed. */
  async pushRemoval(...names: string[]): Promise<void> {
    await this.#pull()
    await this.client.in('clone', 'rm', '--quiet', '-r', ...names)
    await this.#finish(`Remove ${names.join(' ')}`)
  }

  async pushRevert(commit: string): Promise<void> {
    await this.#pull()
    await this.client.in('clone', 'revert', '--no-edit', commit)
    await this.client.in('clone', 'push', '--quiet')
  }

  async deploy(files: Readonly<Record<string, string>>, mode: 'replace' | 'merge'): Promise<void> {
    const { origin, key, site } = this.service
    await deploy(createClient({ baseUrl: origin, key, siteId: site.id }), await folder(files), { mode })
  }

  async list(status = 'all'): Promise<Listed[]> {
    const { body } = await this.service.api().get(`/pages?status=${status}&limit=100`).expect(200)
    return body.data as Listed[]
  }

  async actions(id: string): Promise<string[]> {
    const { body } = await this.service.api().get(`/pages/${id}/versions`).expect(200)
    return (body.data as { action: string }[]).map(({ action }) => action)
  }

  async #pull(): Promise<void> {
    const { server, site, key } = this.service
    const url = `http://git:${key}@127.0.0.1:${server.port}/git/${site.slug}`
    if (this.#hasClone) await this.client.in('clone', 'pull', '--quiet', '--rebase')
    else await this.client.run('clone', '--quiet', url, 'clone')
    this.#hasClone = true
  }

  async #finish(message: string): Promise<void> {
    await this.client.in('clone', 'commit', '--quiet', '-m', message)
    await this.client.in('clone', 'push', '--quiet')
  }
}

const sidecarOf = (id: string) => `.pages/${id.slice(0, 2)}/${id}.json`

/** How a page comes to `/b`; the answer is its id. */
const WAYS_IN: Record<string, (site: Site) => Promise<string>> = {
  async 'the API'(site) {
    return await site.publish('/b', 'one')
  },
  async 'a push'(site) {
    await site.push('b.html', 'one')
    return derivePageId(site.service.site.id, '/b')
  },
  async 'a deploy'(site) {
    await site.deploy({ 'b.html': 'one' }, 'merge')
    const page = (await site.list()).find(({ path }) => path === '/b')
    assert.ok(page)
    return page.id
  },
}

/** How it goes; `came` is the commit that brought it. */
const WAYS_OUT: Record<string, (site: Site, id: string, came: string) => Promise<unknown>> = {
  DELETE: (site, id) => site.service.api().delete(`/pages/${id}`).expect(200),
  'a batch': (site, id) =>
    site.service
      .api()
      .post('/batch')
      .send({ operations: [{ op: 'unpublishPage', id }] })
      .expect(200),
  'a deploy that replaces': (site) => site.deploy({ 'other.html': 'x' }, 'replace'),
  'a revert': (site, _, commit) =>
    site.service.api().post(`/sites/${site.service.site.id}/revert`).send({ commit }).expect(201),
  'a push of its removal': (site) => site.pushRemoval('b.html'),
  'a push that removes its sidecar too': (site) =>
    site.pushRemoval(...['b.html', '.pages'].filter((name) => git(site.service.gitdir(), 'ls-tree', 'main', name))),
  'a push of its revert': (site, _, commit) => site.pushRevert(commit),
}

/** How a page comes back to `/b`, with the same id. */
const WAYS_BACK: Record<string, (site: Site, id: string) => Promise<unknown>> = {
  POST: (site) => site.service.api().post('/pages').send({ path: '/b', html: 'two' }).expect(201),
  'a roll-back': (site, id) => site.service.api().post(`/pages/${id}/rollback`).send({ version: 1 }).expect(200),
  'a batch': (site) =>
    site.service
      .api()
      .post('/batch')
      .send({ operations: [{ op: 'createPage', path: '/b', html: 'two' }] })
      .expect(200),
  'a deploy': (site) => site.deploy({ 'b.html': 'two' }, 'merge'),
}

describe('a page that goes', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  for (const [row, [cameBy, comes]] of Object.entries(WAYS_IN).entries()) {
    for (const [column, [goneBy, goes]] of Object.entries(WAYS_OUT).entries()) {
      // Each way out meets three of the ways back.
      const [back, returns] = Object.entries(WAYS_BACK)[(row + column) % 4] ?? assert.fail()
      it(`by ${goneBy}, and came by ${cameBy}, is listed with its versions, and gets its id back by ${back}`, async () => {
        const site = new Site(await service.inNewWorkspace())
        try {
          await site.publish('/', 'start')
          const id = await comes(site)
          await goes(site, id, site.head())
          const page = (await site.list('unpublished')).find(({ path }) => path === '/b')
          assert.deepEqual([page?.id, page?.version.number], [id, 2])
          const [last, first] = await site.actions(id)
          assert.match(last ?? '', /^(?:unpublish|revert)$/)
          assert.equal(first, 'publish')
          assert.equal((await site.service.visit('/b')).status, 404)
          await returns(site, id)
          const now = (await site.list('published')).find(({ path }) => path === '/b')
          assert.deepEqual([now?.id, now?.version.number], [id, 3])
          await site.service.stop()
        } finally {
          site.client.remove()
        }
      })
    }
  }

  it('stays known by its old path when another page has come there, but is no longer listed', async () => {
    const site = new Site(await service.inNewWorkspace())
    const first = await site.publish('/b', 'one')
    await site.pushRemoval('b.html', sidecarOf(first))
    await site.push('b.html', 'two')
    const derived = derivePageId(site.service.site.id, '/b')
    assert.deepEqual(
      (await site.list()).map(({ id }) => id),
      [derived],
    )
    await service.api().get(`/pages/${first}`).expect(404)
    await site.pushRemoval('b.html')
    assert.deepEqual(
      (await site.list('unpublished')).map(({ id }) => id),
      [derived],
    )
    site.client.remove()
  })
})

/** The pages as they must be, from the trees of git alone. */
class Model {
  /** The page that last stood at each path. */
  readonly last = new Map<string, string>()
  /** The html of each page, and the number of its versions. */
  readonly pages = new Map<string, { blob: string | null; versions: number }>()

  follow(gitdir: string, siteId: string, commit: string): void {
    const blobs = new Map(
      git(gitdir, 'ls-tree', '-r', commit)
        .split('\n')
        .map((line) => line.split(/[\t ]/))
        .map(([, , oid = '', name = '']) => [name, oid]),
    )
    const sidecars = new Map<string, string>()
    for (const [name, oid] of blobs) {
      if (!name.startsWith('.pages/')) continue
      const { path } = JSON.parse(git(gitdir, 'cat-file', 'blob', oid)) as { path: string }
      sidecars.set(path, name.slice(-41, -5))
    }
    for (const path of PATHS) {
      const blob = blobs.get(`${path.slice(1)}.html`) ?? null
      const stands = sidecars.get(path) ?? (blob === null ? undefined : derivePageId(siteId, path))
      const before = this.last.get(path)
      if (before !== undefined && before !== stands) this.#change(before, null)
      if (stands === undefined || (blob === null && !this.pages.has(stands))) continue
      this.last.set(path, stands)
      this.#change(stands, blob)
    }
  }

  listed(): [path: string, id: string, status: string, versions: number][] {
    return [...this.last]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, id]) => {
        const page = this.pages.get(id)
        return [path, id, page?.blob == null ? 'unpublished' : 'published', page?.versions ?? 0]
      })
  }

  #change(id: string, blob: string | null): void {
    const before = this.pages.get(id)
    if ((before?.blob ?? null) !== blob) this.pages.set(id, { blob, versions: (before?.versions ?? 0) + 1 })
  }
}

const PATHS = ['/a', '/b', '/c'] as const
const anyPath = fc.constantFrom(...PATHS)
const KINDS = ['publish', 'push', 'delete', 'push-removal', 'push-without-sidecars', 'revert', 'roll-back', 'deploy']
const anySteps = fc.array(fc.tuple(fc.constantFrom(...KINDS), anyPath), { minLength: 12, maxLength: 12 })

describe('pages that come and go in any order', () => {
  let service: TestService
  before(async () => {
    service = await startOwnService()
  })
  after(() => service.stop())

  it('have the ids, states and versions that the history gives, also when the index is built again', async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const site = new Site(await service.inNewWorkspace())
        const model = new Model()
        const listed = async () =>
          (await site.list()).map(({ path, id, status, version }) => [path, id, status, version.number])
        let text = 0
        let followed = site.head()
        for (const [kind, path] of steps) {
          const before = model.last.get(path)
          await take(site, kind, path, `${kind} ${text++}`)
          const newer = git(site.service.gitdir(), 'rev-list', '--first-parent', '--reverse', `${followed}..main`)
          for (const commit of newer.split('\n').filter(Boolean)) {
            model.follow(site.service.gitdir(), site.service.site.id, commit)
            followed = commit
          }
          assert.deepEqual(await listed(), model.listed(), `${kind} ${path}`)
          if (kind === 'publish' && before !== undefined) assert.equal(model.last.get(path), before)
        }
        rmSync(join(service.dataDir, 'index'), { recursive: true })
        assert.deepEqual(await listed(), model.listed())
        site.client.remove()
      }),
      { numRuns: 3 },
    )
  })
})

async function take(site: Site, kind: string, path: string, html: string): Promise<void> {
  const name = `${path.slice(1)}.html`
  const there = (await site.list()).find((page) => page.path === path)
  const isLive = there?.status === 'published'
  switch (kind) {
    case 'publish':
      return void (await site.publish(path, html))
    case 'push':
      return await site.push(name, html)
    case 'delete':
      return void (isLive && (await site.service.api().delete(`/pages/${there.id}`).expect(200)))
    case 'push-removal':
      return void (isLive && (await site.pushRemoval(name)))
    case 'push-without-sidecars': {
      const names = ['.pages', ...(isLive ? [name] : [])].filter((one) =>
        git(site.service.gitdir(), 'ls-tree', 'main', one),
      )
      return void (names.length > 0 && (await site.pushRemoval(...names)))
    }
    case 'revert': {
      const isFirst = git(site.service.gitdir(), 'rev-list', '--count', 'main') === '1'
      const body = { commit: site.head() }
      return void (isFirst || (await site.service.api().post(`/sites/${site.service.site.id}/revert`).send(body)))
    }
    case 'roll-back':
      return void (
        there && (await site.service.api().post(`/pages/${there.id}/rollback`).send({ version: 1 }).expect(200))
      )
    default:
      return await site.deploy({ [name]: html }, 'replace')
  }
}
