// Snapshots of any trees, as commits of one real repository.

import type { Snapshot } from '../../../src/repository/reading/snapshot.js'
import { importCommand, type Content, type Hosting } from './hosting.js'

/** The origin of a site at which requests for these trees are resolved. */
export const ORIGIN = 'https://demo.example.org'

/** One snapshot for each tree, all in the site `slug`, which is made for it. */
export async function createSnapshots(
  hosting: Hosting,
  slug: string,
  trees: readonly Readonly<Record<string, Content>>[],
): Promise<Snapshot[]> {
  const site = await hosting.createSite(slug, {})
  const stream = trees.flatMap((tree, at) => [
    `commit refs/test/${at}\ncommitter Ann <ann@example.test> 1700000200 +0000\ndata 4\nTree\ndeleteall\n`,
    ...Object.entries(tree).flatMap(([path, content]) => importCommand(path, content)),
  ])
  hosting.git(slug, ['fast-import', '--quiet'], Buffer.concat(stream.map((part) => Buffer.from(part))))
  const head = hosting.store.reader.snapshot(site)
  return trees.map((_, at) => {
    const snapshot = head.commitAt(hosting.git(slug, ['rev-parse', `refs/test/${at}`]))
    if (snapshot === undefined) throw new Error(`tree ${at} is not there`)
    return snapshot
  })
}
