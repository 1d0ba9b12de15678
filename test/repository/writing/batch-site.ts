// A site whose writer is handed whole batches: which writes share one is decided by the test. It has pages, files and records, a
// published deploy, and commits that can be reverted with a merge and without.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { entryAt } from '../../../src/git/repository/history.js'
import { type PackFiles, PackStream, writeBlobPack } from '../../../src/git/streams/pack-stream.js'
import { pagePathOf, parsePagePath } from '../../../src/model/paths/page-path.js'
import { collectionPathOf } from '../../../src/repository/format/site-format.js'
import { prepareDeploy } from '../../../src/repository/deploying/prepare-deploy.js'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import type { Repository } from '../../../src/repository/protocol/repository.js'
import type { Change, KnownPage, Operation, Write } from '../../../src/repository/protocol/write.js'
import type { Written } from '../../../src/repository/protocol/written.js'
import { SiteState } from '../../../src/repository/staging/site-state.js'
import { prepareRevert } from '../../../src/repository/reverting/prepare-revert.js'
import { buildBatch, type Sign, type WriteResult } from '../../../src/repository/writing/build-batch.js'
import { SiteIndexes } from '../../../src/index/site-index.js'
import type { SharedTree } from '../../../src/repository/protocol/writer-messages.js'
import { SiteWriter } from '../../../src/repository/writing/site-writer.js'

const TIME = 1_790_000_000
const COLLECTION = 'c0000000-0000-4000-8000-000000000001'
const LINES = Array.from({ length: 20 }, (_, at) => `line ${at}`)

/** Commits of the site as it begins, by what they did. */
interface Begun {
  deployed: string
  firstOld: string
  changedLine: string
  /** It can be taken back as it was. */
  retold: string
}

export class BatchSite {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-batch-'))
  readonly #site = { id: randomUUID(), slug: 'demo' }
  readonly #repositories = new DiskRepositories(this.#dataDir)
  readonly #ids = new Map<string, string>()
  readonly #writer: SiteWriter
  readonly commits: Begun = { deployed: '', firstOld: '', changedLine: '', retold: '' }
  /** Signs each commit. */
  sign: Sign = (commit) => commit

  /** Makes a new site, or copies another one in its present state. */
  constructor(like?: BatchSite) {
    if (like === undefined) this.#repositories.create(this.#site, TIME)
    else {
      this.#site = like.#site
      this.#ids = like.#ids
      this.commits = like.commits
      cpSync(like.gitdir, this.gitdir, { recursive: true })
    }
    const index = new SiteIndexes(this.gitdir).of(this.#site.id)
    const repository = this.#repositories.openForWriting(this.#site)
    this.#writer = new SiteWriter(this.#site, repository, (commit) => this.sign(commit), index)
  }

  static async begin(): Promise<BatchSite> {
    const site = new BatchSite()
    const { commits } = site
    commits.firstOld = await site.#makePage('/old', 'the first text')
    await site.#makePage('/old', 'the second text')
    await site.#makePage('/lines', LINES.join('\n'))
    commits.changedLine = await site.#makePage('/lines', LINES.with(1, 'another').join('\n'))
    await site.#makePage('/lines', LINES.with(1, 'another').with(18, 'a third').join('\n'))
    await site.#makePage('/other', 'other')
    commits.retold = await site.#makePage('/other', 'told again')
    await site.#make(site.putFile('docs/a.txt', 'a file'))
    await site.#make({ kind: 'put-collection', collectionId: COLLECTION, name: 'notes', schema: null, create: true })
    await site.#make(site.putRecord('first', true))
    const deployed = await site.#make(await site.deploy({ 'earlier.html': 'of a deploy', 'css/a.css': 'a {}' }))
    commits.deployed = deployed.commit
    return site
  }

  get gitdir(): string {
    return this.#repositories.gitdir(this.#site)
  }

  get head(): string {
    return this.#reading((repository) => repository.head() ?? '')
  }

  oidAt(path: string, commit = this.head): string {
    return this.#reading(({ objects }) => entryAt(objects, objects.readCommit(commit).tree, path)?.oid ?? '')
  }

  /** Builds the writes in one batch that is not kept, and says what became of each. */
  build(...writes: readonly (Operation | Write)[]): string[] {
    return this.#reading((repository) => {
      const state = new SiteState(this.#site.id, repository.objects, this.head)
      const batch = buildBatch(
        state,
        writes.map((write) => toWrite(write)),
        this.sign,
      )
      state.settle()
      return batch.results.map(outcomeOf)
    })
  }

  /** Has the writes made in one batch, and says what became of each. */
  async write(...writes: readonly (Operation | Write)[]): Promise<string[]> {
    const results = await this.#writer.writeBatch(writes.map((write) => toWrite(write)))
    return results.map(outcomeOf)
  }

  takeSharedTrees(): SharedTree[] {
    return this.#writer.takeSharedTrees()
  }

  close(): void {
    this.#writer.close()
    rmSync(this.#dataDir, { recursive: true })
  }

  putPage(path: string, html: string, more: object = {}): Extract<Change, { kind: 'publish-page' }> {
    return {
      kind: 'publish-page',
      newId: randomUUID(),
      path: parsePagePath(path),
      html: Buffer.from(html),
      title: undefined,
      templateId: null,
      replace: true,
      ...more,
    }
  }

  putFile(path: string, text: string): Change {
    return { kind: 'put-file', path, blob: { content: Buffer.from(text) }, ifAbsent: false }
  }

  putRecord(recordId: string, create: boolean): Change {
    const definition = this.oidAt(collectionPathOf(COLLECTION))
    return { kind: 'put-record', collectionId: COLLECTION, recordId, json: `{"a":"${recordId}"}`, definition, create }
  }

  deleteCollection(): Change {
    return { kind: 'delete-collection', collectionId: COLLECTION }
  }

  /** Returns a reader's knowledge of a page at the head; with an id, of a page that the head does not have. */
  known(path: string, id = this.#idOf(path)): KnownPage {
    return { id, path: parsePagePath(path), lastChange: this.head, asOf: this.head, titleIsSet: false }
  }

  rollBack(path: string, version: string, blob: string): Change {
    return { kind: 'rollback-page', page: this.known(path), version, blob, undone: { newest: [], count: 0 } }
  }

  /** A pack of one blob, with the write that puts it at a path. */
  async largeFile(path: string, bytes = Buffer.alloc(2_000_000, path)): Promise<Write> {
    const { oid, pack } = await writeBlobPack(this.#dataDir, randomUUID(), inOne(bytes), bytes.length)
    return toWrite({ kind: 'put-file', path, blob: { oid }, ifAbsent: false }, [pack])
  }

  async revert(...commits: string[]): Promise<Operation> {
    const aim = { head: this.head, undoing: { commits }, withheld: [] }
    const prepared = await prepareRevert(this.#repositories, this.#site, aim)
    return { kind: 'revert-commits', commits, withheld: [], prepared }
  }

  /** A deploy that is prepared on the head as it is now. */
  async deploy(files: Readonly<Record<string, string | Buffer>>): Promise<Write> {
    const stream = await PackStream.create(join(this.#dataDir, randomUUID()))
    const manifest: [string, string, number][] = []
    for (const [path, content] of Object.entries(files)) {
      const bytes = Buffer.from(content)
      manifest.push([path, await stream.add(inOne(bytes), bytes.length), bytes.length])
    }
    const pages = Object.keys(files).flatMap((path) => pagePathOf(path) ?? [])
    const { packs, ...prepared } = await prepareDeploy({
      siteId: this.#site.id,
      gitdir: this.gitdir,
      commit: this.head,
      files: manifest,
      sidecars: Object.fromEntries(pages.map((path) => [path, this.#ids.get(path) ?? null])),
      unpublished: {},
      packs: [await stream.finish()],
      output: { folder: this.#dataDir, name: randomUUID() },
    })
    const subject = `Deploy ${manifest.length} files`
    return toWrite({ kind: 'deploy', prepared: { ...prepared, replaces: false, subject } }, packs)
  }

  async #makePage(path: string, html: string): Promise<string> {
    const { id, commit } = await this.#make(this.putPage(path, html))
    this.#ids.set(path, id)
    return commit
  }

  async #make(write: Operation | Write): Promise<Written> {
    const [result] = await this.#writer.writeBatch([toWrite(write)])
    assert.ok(result !== undefined && 'written' in result, JSON.stringify(result))
    return result.written
  }

  #reading<T>(read: (repository: Repository) => T): T {
    const repository = this.#repositories.open(this.#site)
    try {
      return read(repository)
    } finally {
      repository.close()
    }
  }

  #idOf(path: string): string {
    const id = this.#ids.get(path)
    assert.ok(id !== undefined, path)
    return id
  }
}

export function toWrite(operation: Operation | Write, packs?: readonly PackFiles[]): Write {
  if ('operation' in operation) return operation
  return { operation, author: 'Ada', time: TIME, trailers: [], ...(packs && { packs }) }
}

function outcomeOf(result: WriteResult): string {
  if ('failure' in result) return result.failure.code
  return result.written.changed ? 'changed' : 'unchanged'
}

async function* inOne(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
