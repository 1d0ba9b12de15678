// A store with a site of its own for each test, and short words for the actions of tests of reverts.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ServiceError } from '../../../src/model/errors.js'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import type { Operation, Write } from '../../../src/repository/protocol/write.js'
import type { Written } from '../../../src/repository/protocol/written.js'
import type { SiteDraft } from '../../../src/repository/reading/site-draft.js'
import { Store } from '../../../src/repository/store.js'
import { git, withClone } from '../../support/git.js'

const LIMITS = { writerThreads: 1, diskReserveBytes: 0 }
const TIME = 1_790_000_000

export class RevertibleSite {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-revert-'))
  readonly #store = new Store({ dataDir: this.#dataDir, limits: LIMITS })
  #site = { id: '', slug: '' }

  async begin(): Promise<void> {
    const id = randomUUID()
    this.#site = { id, slug: `site-${id.slice(0, 8)}` }
    await this.#store.writers.createRepository(this.#site, TIME)
  }

  async close(): Promise<void> {
    await this.#store.close()
    rmSync(this.#dataDir, { recursive: true, force: true })
  }

  get gitdir(): string {
    return this.#store.repositories.gitdir(this.#site)
  }

  git(...args: string[]): string {
    return git(this.gitdir, ...args)
  }

  /** The paths of all files but those of `.pages`. */
  paths(): string[] {
    return this.git('ls-tree', '-r', '--name-only', 'main')
      .split('\n')
      .filter((path) => !path.startsWith('.pages/'))
  }

  revert(...commits: string[]): Promise<Written> {
    return this.#write({ kind: 'revert-commits', commits, withheld: [] })
  }

  dryRun(...commits: string[]): Promise<SiteDraft> {
    return this.#store.draft(this.#site, toWrite({ kind: 'revert-commits', commits, withheld: [] }))
  }

  publish(path: string, html: string): Promise<Written> {
    const page = { newId: randomUUID(), path: parsePagePath(path), html: Buffer.from(html) }
    return this.#write({ kind: 'publish-page', ...page, title: undefined, templateId: null, replace: true })
  }

  /** Unpublishes a page that was published just before. */
  unpublish(path: string, { id, commit }: Written): Promise<Written> {
    const page = { id, path: parsePagePath(path), lastChange: commit, asOf: commit, titleIsSet: false }
    return this.#write({ kind: 'unpublish-page', page })
  }

  put(path: string, text: string): Promise<Written> {
    return this.#write({ kind: 'put-file', path, blob: { content: Buffer.from(text) }, ifAbsent: false })
  }

  remove(path: string): Promise<Written> {
    return this.#write({ kind: 'delete-file', path })
  }

  move(from: string, to: string): Promise<Written> {
    return this.#write({ kind: 'move-file', from, to })
  }

  makeCollection(collectionId: string, name: string): Promise<Written> {
    return this.#write({ kind: 'put-collection', collectionId, name, schema: null, create: true })
  }

  deleteCollection(collectionId: string): Promise<Written> {
    return this.#write({ kind: 'delete-collection', collectionId })
  }

  makeRecord(collectionId: string, id: string, data: object): Promise<Written> {
    const definition = this.git('rev-parse', `main:collections/${collectionId}.json`)
    const json = JSON.stringify(data)
    return this.#write({ kind: 'put-record', collectionId, recordId: id, json, definition, create: true })
  }

  deleteRecord(collectionId: string, recordId: string): Promise<Written> {
    return this.#write({ kind: 'delete-record', collectionId, recordId })
  }

  /** Pushes the state that `change` leaves in a clone, and commits any changes that it did not commit. Returns the new head. */
  async push(change: (clone: string) => void): Promise<string> {
    const head = await withClone(this.gitdir, (clone) => {
      change(clone)
      git(clone, 'add', '.')
      if (git(clone, 'status', '--porcelain') !== '') git(clone, 'commit', '--quiet', '--message', 'By hand')
      git(clone, 'push', '--quiet')
      return git(clone, 'rev-parse', 'HEAD')
    })
    return head
  }

  #write(operation: Operation): Promise<Written> {
    return this.#store.write(this.#site, toWrite(operation))
  }
}

function toWrite(operation: Operation): Write {
  return { operation, author: 'Ada', time: TIME, trailers: [] }
}

export function refusal(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ServiceError && error.code === code
}

/** The paths in conflict, each with its reason. */
export async function conflictsOf(revert: Promise<unknown>): Promise<string[][]> {
  const error: unknown = await revert.catch((refused: unknown) => refused)
  assert.ok(refusal('revert_conflict')(error), String(error))
  const { conflicts } = (error as ServiceError).details as { conflicts: { path: string; reason: string }[] }
  return conflicts.map(({ path, reason }) => [path, reason])
}
