// Prepares a deploy in a process of its own. It gets the files in which the site differs, and what the index knows of its pages. If nothing
// differs, there is nothing to prepare.

import { basename } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Principal } from '../../model/principal.js'
import { ServiceError } from '../../model/errors.js'
import { type PagePath, pagePathOf } from '../../model/paths/page-path.js'
import type { BuiltDeploy } from '../../repository/deploying/prepare-deploy.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import type { Deploy } from '../../repository/uploads/deploy.js'
import type { AtSite, Reading } from '../context/call.js'
import { filesThatDiffer } from './files-that-differ.js'

/** Names to ask the index about at once; others are served in between. */
const MAX_ASKED = 100
/** Most times to begin the questions again because the site changed meanwhile. */
const MAX_TRIES = 10

/** Prefix of the names of packs that are built from the uploads. */
const BUILT = 'build-'

/** Ids of pages by path. */
type Sidecars = Record<PagePath, string | null>
type Unpublished = Record<PagePath, string>

/**
 * Prepares the deploy. `places` checks only that its places are free, and lists what would be touched; `trees` builds what is published.
 * `commit` is the head that it is prepared for.
 */
export async function prepare(
  call: AtSite<Reading | 'deploys' | 'longTasks'>,
  deploy: Deploy,
  what: 'places' | 'trees',
  { paths }: Pick<Principal, 'paths'>,
): Promise<{ commit: string; built: BuiltDeploy }> {
  const { site } = call
  const { snapshot, files, sidecars, unpublished } = await askIndex(call, deploy)
  const { deploys, store, longTasks } = call
  const { commit, tree } = snapshot
  const { gitdir, lender } = store.sourceOf(site, snapshot)
  const isReplacing = deploy.mode === 'replace'
  if (files.length === 0 && !isReplacing) return { commit, built: { base: tree, tree, touched: [], packs: [] } }
  const built = await longTasks.run(
    'prepareDeploy',
    {
      siteId: site.id,
      gitdir,
      lender,
      commit,
      files,
      ...(isReplacing && { keeps: namesOf(deploy), keepsBelow: deploy.keep ?? [] }),
      ...(deploy.below !== undefined && { removesBelow: deploy.below }),
      ...(deploy.skipped && { anyEncoding: true }),
      ...(paths && { paths }),
      sidecars,
      unpublished,
      packs: what === 'trees' ? deploys.packs(deploy.id) : [],
      output:
        what === 'trees'
          ? { folder: deploys.folderOf(deploy.id), name: `${BUILT}${deploys.newPackName(deploy.id)}` }
          : undefined,
    },
    site,
  )
  return { commit, built }
}

/** Returns the paths of the manifest, also those that are left out: a replacing deploy removes none of them. */
function namesOf({ files, skipped = [] }: Deploy): string[] {
  return [...files.map(([path]) => path), ...skipped.map(({ path }) => path.replace(/^\//, ''))]
}

/** Whether the pack was built for this preparation, and not uploaded. */
export function isBuilt(path: string): boolean {
  return basename(path).startsWith(BUILT)
}

/** State of the site as of the snapshot's commit. */
interface Known {
  snapshot: Snapshot
  /** The files of the deploy that the site lacks, or has with other bytes. */
  files: Deploy['files']
  /** The sidecar that names each page that the deploy may change; null for none. */
  sidecars: Sidecars
  /** The unpublished page at each path of the deploy, with a sidecar or not. */
  unpublished: Unpublished
}

async function askIndex(call: AtSite<Reading>, deploy: Deploy): Promise<Known> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const known = await tryToAsk(call, deploy)
    if (known !== undefined) return known
  }
  throw new ServiceError('site_busy', 'The site is changing too often. Try again in a moment.')
}

/** Returns undefined if the site changed in between. */
async function tryToAsk(call: AtSite<Reading>, deploy: Deploy): Promise<Known | undefined> {
  const { site, indexFollower, store } = call
  const commit = await indexFollower.read(site, (_, at) => at)
  const snapshot = store.reader.snapshot(site).commitAt(commit)
  if (snapshot === undefined) return undefined
  const files = await filesThatDiffer(snapshot, deploy.files)
  const sidecars: Sidecars = {}
  const unpublished: Unpublished = {}
  for (let from = 0; from < files.length; from += MAX_ASKED) {
    const pages = files.slice(from, from + MAX_ASKED).flatMap(([path]) => pagePathOf(path) ?? [])
    const known = await indexFollower.read(site, (index, at) =>
      at === commit ? [index.pages.findSidecars(pages), index.pages.findUnpublished(pages)] : undefined,
    )
    if (known === undefined) return undefined
    Object.assign(sidecars, known[0])
    Object.assign(unpublished, known[1])
    await nextTurn()
  }
  const named = new Set(namesOf(deploy))
  let cursor: string | null | undefined = deploy.mode === 'replace' ? undefined : null
  while (cursor !== null) {
    const slice = { cursor, limit: MAX_ASKED }
    const found = await indexFollower.read(site, (index, at) => {
      const { rows, nextCursor } = index.pages.list(slice)
      const removed = rows.flatMap(({ path, treePath }) => (named.has(treePath) ? [] : [path as PagePath]))
      return at === commit ? { sidecars: index.pages.findSidecars(removed), nextCursor } : undefined
    })
    if (found === undefined) return undefined
    Object.assign(sidecars, found.sidecars)
    cursor = found.nextCursor
    await nextTurn()
  }
  return { snapshot, files, sidecars, unpublished }
}
