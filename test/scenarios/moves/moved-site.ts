// A site whose pages move at random, and a simple model of it: where each page is, where each former address leads, and what links where.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, dataOf, type Page } from '../../spec/use-service.js'
import { git, withClone } from '../../support/git.js'
import type { TestService } from '../../support/service.js'
import { formerPathOf } from '../../../src/repository/format/former-address.js'

/** A page as the model knows it: it links to the URLs in `links`, whatever is there. */
interface Known {
  path: string
  links: string[]
  /** Texts that writers added. */
  notes: number
  /** Actions of its versions. Those who write at the same time have no order. */
  actions: string[]
}

interface State {
  pages: Map<string, Known>
  /** Ids of pages by their former addresses. */
  former: Map<string, string>
}

const FOLDERS = ['/', '/a/', '/b/', '/a/deep/', '/c/']
const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

export class MovedSite {
  readonly #service: TestService
  readonly #random: () => number
  /** Whether moves rewrite links; those of pages are then relative. */
  readonly #rewrites: boolean
  #state: State = { pages: new Map(), former: new Map() }
  /** The commit of the last move, and the state before it. */
  #undo: { commit: string; before: State } | undefined
  moves = 0
  reverts = 0

  constructor(service: TestService, { seed, rewrites }: { seed: number; rewrites: boolean }) {
    this.#service = service
    this.#rewrites = rewrites
    let state = seed
    this.#random = () => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
      return state / 2_147_483_648
    }
  }

  async fill(count: number): Promise<void> {
    const paths = this.#freePaths().slice(0, count)
    for (const path of paths) {
      const links = [this.#pick(paths), this.#pick(paths)]
      const page = dataOf<Page>(
        await this.#api
          .post('/pages')
          .send({ path, html: this.#htmlOf(path, links) })
          .expect(201),
      )
      this.#state.pages.set(page.id, { path, links, notes: 0, actions: ['publish'] })
    }
  }

  /** Moves a page or a folder, while somebody writes to another page. */
  async moveBesideWriter(): Promise<void> {
    const id = this.#pick([...this.#state.pages.keys()])
    await Promise.all([this.#random() < 0.7 ? this.#movePage() : this.#moveFolder(), this.#write(id)])
  }

  /** Undoes the last move, unless something that came since is in the way. */
  async revert(): Promise<void> {
    const undo = this.#undo
    this.#undo = undefined
    if (undo === undefined) return
    const answer = await this.#api.post(`/sites/${this.#service.site.id}/revert`).send({ commit: undo.commit })
    if (answer.status === 409) return
    assert.equal(answer.status, 201, answer.text)
    this.reverts += 1
    for (const [id, page] of this.#state.pages) {
      const before = undo.before.pages.get(id)
      assert.ok(before)
      const hasNewBytes = before.links.join() !== page.links.join()
      if (before.path !== page.path || hasNewBytes) page.actions.push('revert')
      page.path = before.path
      page.links = before.links
    }
    this.#state.former = undo.before.former
  }

  /** Moves a page by git, with its sidecar and its redirect, and brings a new page without a sidecar. */
  async push(): Promise<void> {
    this.#undo = undefined
    const [id, page] = this.#pick([...this.#state.pages])
    const [to, fresh] = this.#freePaths()
    if (to === undefined || fresh === undefined) return
    const links = [page.path, to]
    await withClone(this.#service.gitdir(), (folder) => {
      const write = (file: string, text: string) => {
        mkdirSync(dirname(join(folder, file)), { recursive: true })
        writeFileSync(join(folder, file), text)
      }
      const sidecar = `.pages/${id.slice(0, 2)}/${id}.json`
      mkdirSync(dirname(join(folder, fileOf(to))), { recursive: true })
      git(folder, 'mv', fileOf(page.path), fileOf(to))
      write(sidecar, `{"path":"${to}","template":null}\n`)
      write(formerPathOf(page.path), `{"from":"${page.path}","page":"${id}"}\n`)
      write(fileOf(fresh), this.#htmlOf(fresh, links))
      for (const path of [to, fresh]) git(folder, 'rm', '-q', '--ignore-unmatch', '--', formerPathOf(path))
      git(folder, 'add', '-A')
      git(folder, 'commit', '-qm', 'Move by git')
      git(folder, 'push', '-q', 'origin', 'HEAD:main')
    })
    this.#take(id, to)
    page.actions.push('move')
    // The bytes stayed: a relative link leads elsewhere from there.
    page.links = linksIn(git(this.#service.gitdir(), 'show', `main:${fileOf(to)}`), to)
    this.#state.former.delete(fresh)
    const [made] = dataOf<Page[]>(await this.#api.get(`/pages?path=${fresh}`).expect(200))
    assert.ok(made !== undefined && !this.#state.pages.has(made.id), 'the new page has an id of its own')
    this.#state.pages.set(made.id, { path: fresh, links, notes: 0, actions: ['publish'] })
  }

  /** Compares ids, paths, histories, addresses and links with those of the model. */
  async assertAsModelled(): Promise<void> {
    const listed = dataOf<Page[]>(await this.#api.get('/pages?limit=1000').expect(200))
    const { pages, former } = this.#state
    const places = (all: Iterable<readonly [string, { path: string }]>) =>
      Array.from(all, ([id, { path }]) => `${path} ${id}`).toSorted()
    assert.deepEqual(places(listed.map((page) => [page.id, page])), places(pages))
    for (const [id, page] of pages) {
      const versions = dataOf<{ action: string }[]>(await this.#api.get(`/pages/${id}/versions?limit=1000`).expect(200))
      const actions = versions.map(({ action }) => action).toSorted()
      assert.deepEqual(actions, page.actions.toSorted(), `the history of ${page.path}`)
      const { text } = await this.#service.visit(page.path).expect(200)
      assert.deepEqual(linksIn(text, page.path), page.links, `the links of ${page.path}`)
    }
    for (const [address, id] of former) {
      const answer = await this.#service.visit(address).redirects(0)
      assert.deepEqual([answer.status, answer.get('Location')], [308, pages.get(id)?.path], address)
    }
    const free = this.#freePaths().filter((path) => !former.has(path))
    for (const path of free.slice(0, 3)) await this.#service.visit(path).redirects(0).expect(404)
  }

  get #api() {
    return this.#service.api()
  }

  async #movePage(): Promise<void> {
    const [id, { path }] = this.#pick([...this.#state.pages])
    const to = this.#random() < 0.9 ? this.#freePaths()[0] : this.#pick([...this.#state.pages.values()]).path
    if (to === undefined) return
    const before = copyOf(this.#state)
    const answer = await this.#api.patch(`/pages/${id}`).send({ path: to, rewriteLinks: this.#rewrites })
    if (to === path) return assert.equal(dataOf<{ changed?: false }>(answer).changed, false)
    if ([...before.pages.values()].some((page) => page.path === to)) return assert.equal(codeOf(answer), 'page_exists')
    assert.equal(answer.status, 200, answer.text)
    this.#moved(before, new Map([[id, to]]), dataOf<Page>(answer).etag.slice(1, -1))
  }

  async #moveFolder(): Promise<void> {
    const from = this.#pick(FOLDERS)
    const to = this.#random() < 0.2 ? `${from}in-${this.moves}/` : `/moved-${this.moves}/`
    const before = copyOf(this.#state)
    const body = { from, to, rewriteLinks: this.#rewrites }
    const answer = await this.#api.post(`/sites/${this.#service.site.id}/moves`).send(body)
    const inside = [...before.pages].filter(([, { path }]) => path.startsWith(from))
    if (from === '/' || to.startsWith(from)) return assert.equal(codeOf(answer), 'invalid_path')
    if (inside.length === 0) return assert.equal(codeOf(answer), 'file_not_found')
    assert.equal(answer.status, 200, answer.text)
    const moves = inside.map(([id, { path }]) => [id, to + path.slice(from.length)] as const)
    this.#moved(before, new Map(moves), dataOf<{ commit: string }>(answer).commit)
  }

  /** Notes the moves. Those who wrote at the same time changed no path and no link. */
  #moved(before: State, moves: ReadonlyMap<string, string>, commit: string): void {
    const old = new Map(Array.from(moves, ([id, to]) => [before.pages.get(id)?.path ?? '', to]))
    for (const [id, to] of moves) this.#take(id, to)
    for (const [id, page] of this.#state.pages) {
      const links = this.#rewrites ? page.links.map((link) => old.get(link) ?? link) : page.links
      const isRewritten = links.join() !== page.links.join()
      if (moves.has(id)) page.actions.push('move')
      else if (isRewritten) page.actions.push('replace')
      page.links = links
    }
    this.moves += 1
    this.#undo = { commit, before }
  }

  #take(id: string, to: string): void {
    const page = this.#state.pages.get(id)
    assert.ok(page)
    this.#state.former.set(page.path, id)
    page.path = to
    this.#state.former.delete(to)
  }

  async #write(id: string): Promise<void> {
    for (let tries = 0; tries < 9; tries++) {
      const { html = '', etag } = dataOf<Page & { html?: string }>(await this.#api.get(`/pages/${id}`).expect(200))
      const edits = [{ find: '</main>', replace: '<p>note\n</main>' }]
      const answer = await this.#api.patch(`/pages/${id}/content`).set('If-Match', etag).send({ edits })
      assert.ok(html.length > 0)
      if (answer.status === 412) continue
      assert.equal(answer.status, 200, answer.text)
      const page = this.#state.pages.get(id)
      assert.ok(page)
      page.notes += 1
      page.actions.push('replace')
      return
    }
    assert.fail('a writer never got its turn')
  }

  #htmlOf(path: string, links: readonly string[]): string {
    const hrefs = links.map((link) => (this.#rewrites ? relative(path, link) : link))
    return `<title>${path}</title>\n${hrefs.map((href) => `<a href="${href}">x</a>\n`).join('')}<main>\n</main>\n`
  }

  #freePaths(): string[] {
    const taken = new Set(Array.from(this.#state.pages.values(), ({ path }) => path))
    const all = FOLDERS.flatMap((folder) => NAMES.map((name) => folder + name))
    return all.filter((path) => !taken.has(path)).toSorted(() => this.#random() - 0.5)
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T
  }
}

function copyOf({ pages, former }: State): State {
  return {
    pages: new Map(Array.from(pages, ([id, page]) => [id, { ...page, actions: [...page.actions] }])),
    former: new Map(former),
  }
}

function linksIn(html: string, path: string): string[] {
  return Array.from(html.matchAll(/href="([^"]*)"/g), ([, href = '']) => new URL(href, `http://x${path}`).pathname)
}

function fileOf(path: string): string {
  return `${path.slice(1)}.html`
}

function relative(from: string, to: string): string {
  const up = '../'.repeat(from.split('/').length - 2)
  return `${up || './'}${to.slice(1)}`
}
