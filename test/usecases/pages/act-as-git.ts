// Makes a random history of a site, and compares the API with git at each step.

import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type supertest from 'supertest'
import type { TestService } from '../../support/service.js'
import { type Edit, GitHistory, PAGES, type PagePath, type Step, steps } from './git-history.js'

interface Page {
  id: string
  path: PagePath
  status: 'published' | 'unpublished'
}

/** Tries so many histories, each in a new workspace. */
export async function assertActsAsGit(service: TestService, numRuns: number): Promise<void> {
  const property = fc.asyncProperty(steps, async (list) => {
    const tenant = await service.inNewWorkspace()
    const history = new GitHistory(tenant.gitdir())
    try {
      const site = new SiteBesideGit(tenant, history)
      for (const step of list) await site.take(step)
      await site.assertSameVersions()
    } finally {
      history.remove()
      await tenant.stop()
    }
  })
  await fc.assert(property, { numRuns })
}

class SiteBesideGit {
  readonly #service: TestService
  readonly #history: GitHistory

  constructor(service: TestService, history: GitHistory) {
    this.#service = service
    this.#history = history
  }

  async take(step: Step): Promise<void> {
    const history = this.#history
    switch (step.kind) {
      case 'publish': {
        const html = history.edited(PAGES[step.page], step.edit)
        const answer = await this.#api.put(`/pages?path=${step.page}`).send({ html })
        return assert.ok(answer.ok, answer.text)
      }
      case 'unpublish': {
        const page = await this.#find(step.page)
        if (page?.status === 'published') await this.#api.delete(`/pages/${page.id}`).expect(200)
        return
      }
      case 'roll back':
        return await this.#rollBack(step.page, step.back)
      case 'revert':
        return await this.#revert(step.back)
      case 'push':
        return history.push((clone) => this.#edit(clone, step.edits))
      case 'push a removal':
        return history.push((clone) => rmSync(join(clone, step.file), { force: true }))
      case 'push a rename':
        return history.push((clone) => {
          if (existsSync(join(clone, step.from))) move(join(clone, step.from), join(clone, step.to))
        })
    }
  }

  /**
   * The versions of a page are the commits that `git log --first-parent -- <file>` lists. A page that was pushed has no sidecar to keep its
   * id while its file is gone: a page that the API publishes there is another one, and its versions begin with it.
   */
  async assertSameVersions(): Promise<void> {
    const pages = new Map((await this.#pages()).map((page) => [page.path, page]))
    for (const path of Object.keys(PAGES) as PagePath[]) {
      const changes = this.#history.changesOf(PAGES[path])
      const page = pages.get(path)
      const versions = page === undefined ? [] : await this.#versions(page.id)
      const commits = changes.map(({ commit }) => commit)
      assert.deepEqual(versions, commits.slice(0, versions.length), `the versions of ${path}`)
      const before = changes[versions.length]
      if (before === undefined) continue
      assert.equal(before.blob, undefined, `${path} lacks the version of ${before.commit}`)
      assert.ok(!this.#history.hasSidecar(path, before.commit), `${path} lost its id in ${before.commit}`)
    }
  }

  /** Leaves what `git revert` of the later versions leaves, each narrowed to the page's file. */
  async #rollBack(path: PagePath, back: number): Promise<void> {
    const page = await this.#find(path)
    if (page === undefined) return
    const versions = await this.#versions(page.id)
    const changes = this.#history.changesOf(PAGES[path]).slice(0, versions.length)
    const wanted = back % changes.length
    const later = this.#history.narrowed(PAGES[path], changes.slice(0, wanted))
    const { content, conflicts } = this.#history.reverted(later)
    assert.deepEqual(conflicts, [])
    const before = this.#history.content()
    const answer = await this.#api.post(`/pages/${page.id}/rollback`).send({ version: changes[wanted]?.commit })
    const hasHtml = changes[wanted]?.blob !== undefined
    assert.equal(answer.status, hasHtml ? 200 : 409, answer.text)
    assert.deepEqual(this.#history.content(), hasHtml ? content : before)
  }

  /** Leaves what `git revert` leaves; where git finds conflicts, refuses with the same paths and changes nothing. */
  async #revert(back: number): Promise<void> {
    const commits = this.#history.commits()
    const commit = commits[back % Math.max(commits.length, 1)]
    if (commit === undefined) return
    const { content, conflicts } = this.#history.reverted([commit])
    const before = this.#history.content()
    const answer = await this.#api.post(`/sites/${this.#service.site.id}/revert`).send({ commit })
    if (conflicts.length === 0) assert.ok(answer.ok, answer.text)
    else assert.deepEqual(conflictsIn(answer), conflicts.toSorted())
    assert.deepEqual(this.#history.content(), conflicts.length === 0 ? content : before)
  }

  #edit(clone: string, edits: readonly [file: string, edit: Edit][]): void {
    for (const [file, edit] of edits) {
      const path = join(clone, file)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, this.#history.edited(file, edit))
    }
  }

  get #api() {
    return this.#service.api()
  }

  async #pages(): Promise<Page[]> {
    const { body } = await this.#api.get('/pages?status=all&limit=100').expect(200)
    return (body as { data: Page[] }).data
  }

  async #find(path: PagePath): Promise<Page | undefined> {
    return (await this.#pages()).find((page) => page.path === path)
  }

  async #versions(id: string): Promise<string[]> {
    const { body } = await this.#api.get(`/pages/${id}/versions?limit=100`).expect(200)
    return (body as { data: { id: string }[] }).data.map((version) => version.id)
  }
}

function conflictsIn({ status, body, text }: supertest.Response): string[] {
  assert.equal(status, 409, text)
  const { details } = (body as { error: { details: { conflicts: { path: string }[] } } }).error
  return details.conflicts.map(({ path }) => path).toSorted()
}

function move(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
}
