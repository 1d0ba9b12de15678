// The thread that makes sitemaps and llms.txt. A large site's sitemap takes seconds.

import { workerData } from 'node:worker_threads'
import { SiteIndexes } from '../../../index/site-index.js'
import { MODE_TREE } from '../../../git/objects/tree.js'
import { atOneMoment, LastChanges } from '../../../indexing/last-changes.js'
import { LONG_DIR, type PagePath } from '../../../model/paths/page-path.js'
import { DiskRepositories } from '../../../repository/disk/disk-repositories.js'
import { isFile } from '../../../repository/format/file-mode.js'
import { toFailure } from '../../../repository/protocol/failure.js'
import type { SiteRef } from '../../../repository/protocol/write.js'
import { Snapshot } from '../../../repository/reading/snapshot.js'
import { listableIn } from '../../../repository/resolution/listable.js'
import { serveRequests } from '../../../threads/serve.js'
import { LONG_WORK_NICENESS, lowerThread } from '../../../threads/giving-way.js'
import { listPages } from './list-pages.js'
import { MAX_PACKED_BYTES, type PackedFile, Packer } from './packed-file.js'
import { ListedPages } from './listed-pages.js'
import { MAX_LLMS_PAGES, renderLlmsText } from './render-llms-text.js'
import { MAX_SITE_BYTES, renderSitemap } from './render-sitemap.js'

/** The thread's `workerData`. */
export interface SitemapThreadData {
  dataDir: string
}

export interface SitemapProtocol {
  request: { site: SiteRef; commit: string; origin: string; now: number }
  answer: {
    /** By name; undefined if the site is too large for maps. */
    files: ReadonlyMap<string, PackedFile> | undefined
    /** Whether the index had reached the commit, so that it knew when pages changed. */
    isComplete: boolean
    pages: number
    /** Time taken to make the files. */
    costMs: number
  }
  event: never
}

/** The URL of a page has at least as many characters as its path, which gives the limit on characters. */
const MAX_PAGES = { count: 500_000, characters: MAX_SITE_BYTES }

const { dataDir } = workerData as SitemapThreadData
const repositories = new DiskRepositories(dataDir)
const indexes = new SiteIndexes(dataDir)
lowerThread(LONG_WORK_NICENESS)

const say = serveRequests<SitemapProtocol>((request, ticket) => {
  try {
    const answer = atOneMoment(indexes.of(request.site.id), () => make(request))
    say(
      { replies: [{ ticket, answer }] },
      Array.from(answer.files?.values() ?? [], ({ bytes }) => bytes),
    )
  } catch (error) {
    say({ replies: [{ ticket, failure: toFailure(error) }] })
  } finally {
    // Hardly any site is asked about twice in a row, and nothing tells this thread that one was deleted.
    indexes.of(request.site.id).close()
  }
})

function make({ site, commit, origin, now }: SitemapProtocol['request']): SitemapProtocol['answer'] {
  const begun = performance.now()
  const repository = repositories.open(site)
  try {
    const snapshot = new Snapshot(site.id, repository.objects, commit)
    const changes = new LastChanges(indexes.of(site.id), commit)
    const inTree = listPages(repository.objects, snapshot.tree, MAX_PAGES)
    const paths = joined(inTree ?? [], longPages(snapshot, changes))
    const isListable = listableIn({ snapshot, origin })
    const pages = new ListedPages({ paths, changes, isListable, now }, MAX_LLMS_PAGES)
    const packer = new Packer()
    const maps = inTree && renderSitemap(origin, pages, (xml) => packer.pack(xml))
    const files = maps?.set('llms.txt', packer.pack(renderLlmsText(origin, pages)))
    return {
      files: packer.bytes <= MAX_PACKED_BYTES ? files : undefined,
      isComplete: changes.isComplete,
      pages: inTree ? pages.count : MAX_PAGES.count,
      costMs: performance.now() - begun,
    }
  } finally {
    repository.close()
  }
}

function* joined<T>(...all: readonly Iterable<T>[]): Generator<T> {
  for (const one of all) yield* one
}

function* longPages(snapshot: Snapshot, changes: LastChanges): Generator<PagePath> {
  if (snapshot.entry(LONG_DIR)?.mode !== MODE_TREE) return
  for (const { path, treePath } of changes.longPages()) if (isFile(snapshot.entry(treePath)?.mode)) yield path
}
