// The thread that makes sitemaps, and llms.txt beside them: of a large site one takes seconds.

import { workerData } from 'node:worker_threads'
import { openIndex } from '../../catalog/index/site-index.js'
import { MODE_TREE } from '../../git/objects/tree.js'
import { lastChangesAt } from '../../indexing/last-changes.js'
import { LONG_DIR, type PagePath, treePathOf } from '../../model/paths/page-path.js'
import { DiskRepositories } from '../../store/disk/disk-repositories.js'
import { isFile } from '../../store/format/file-mode.js'
import { toFailure } from '../../store/protocol/failure.js'
import type { SiteRef } from '../../store/protocol/write.js'
import { Snapshot } from '../../store/reading/snapshot.js'
import { serveRequests } from '../../threads/serve.js'
import { named } from '../../resolution/generated-file.js'
import { listPages } from './list-pages.js'
import { renderLlmsText } from './render-llms-text.js'
import { renderSitemap } from './render-sitemap.js'

/** The thread's `workerData`. */
export interface SitemapThreadData {
  dataDir: string
}

export interface SitemapProtocol {
  request: { site: SiteRef; commit: string; origin: string }
  answer: {
    /** By name; undefined where the site has too many pages. */
    files: ReadonlyMap<string, { body: ArrayBuffer; oid: string }> | undefined
    /** Whether the index was at the commit, and so knows when pages changed. */
    isComplete: boolean
    pages: number
    /** What it took to make them. */
    costMs: number
  }
  event: never
}

/** Ten maps of the greatest length. */
const MAX_PAGES = 500_000

const { dataDir } = workerData as SitemapThreadData
const repositories = new DiskRepositories(dataDir)
const index = openIndex(dataDir, () => new Date())

const say = serveRequests<SitemapProtocol>((request, ticket) => {
  try {
    const answer = make(request)
    say(
      { replies: [{ ticket, answer }] },
      Array.from(answer.files?.values() ?? [], ({ body }) => body),
    )
  } catch (error) {
    say({ replies: [{ ticket, failure: toFailure(error) }] })
  }
})

function make({ site, commit, origin }: SitemapProtocol['request']): SitemapProtocol['answer'] {
  const begun = performance.now()
  const repository = repositories.open(site)
  try {
    const snapshot = new Snapshot(site.id, repository.objects, commit)
    const changes = lastChangesAt({ index, onBehind: () => undefined }, site.id, commit)
    const times = new Map(changes?.map(({ path, time }) => [path, time]))
    const pages = listPages(repository.objects, snapshot.tree, MAX_PAGES)
    const all = pages && [...pages, ...longPages(snapshot, times)]
    const files = all && renderSitemap(origin, all, times).set('llms.txt', renderLlmsText(origin, all, changes ?? []))
    const costMs = performance.now() - begun
    return {
      files: files && toMove(files),
      isComplete: changes !== undefined,
      pages: pages?.length ?? MAX_PAGES,
      costMs,
    }
  } finally {
    repository.close()
  }
}

/** The name of a file in LONG_DIR does not tell its path; the index knows it. */
function* longPages(snapshot: Snapshot, times: ReadonlyMap<string, number>): Generator<PagePath> {
  if (snapshot.entry(LONG_DIR)?.mode !== MODE_TREE) return
  for (const path of times.keys()) {
    const treePath = treePathOf(path as PagePath)
    if (treePath.startsWith(`${LONG_DIR}/`) && isFile(snapshot.entry(treePath)?.mode)) yield path as PagePath
  }
}

/** Small Buffers share their memory with others, so each is copied. */
function toMove(files: ReadonlyMap<string, Buffer>) {
  return new Map(
    Array.from(files, ([name, bytes]) => {
      const moved = new ArrayBuffer(bytes.length)
      bytes.copy(Buffer.from(moved))
      return [name, { body: moved, oid: named(bytes).oid }] as const
    }),
  )
}
