// Which file of a site answers for the path of a request. Only regular files ever do, and nothing reserved.

import { assetPathOf, pagePathOfUrl, parsePagePath, treePathOf } from '../model/page-path.js'
import { isFile } from '../store/file-mode.js'
import type { Snapshot } from '../store/snapshot.js'
import type { FoundFile } from './resolution.js'

const NOT_FOUND_PAGE = treePathOf(parsePagePath('/404'))

/** An exact file wins over a page's clean URL; where neither is, the site's `/404` page; undefined without one. */
export function findFile(snapshot: Pick<Snapshot, 'entry'>, pathname: string): FoundFile | undefined {
  const page = pagePathOfUrl(pathname)
  return (
    fileAt(snapshot, assetPathOf(pathname), 200) ??
    fileAt(snapshot, page && treePathOf(page), 200) ??
    fileAt(snapshot, NOT_FOUND_PAGE, 404)
  )
}

function fileAt(
  snapshot: Pick<Snapshot, 'entry'>,
  treePath: string | undefined,
  status: 200 | 404,
): FoundFile | undefined {
  const entry = treePath === undefined ? undefined : snapshot.entry(treePath)
  return treePath !== undefined && isFile(entry?.mode) ? { treePath, oid: entry!.oid, status, fields: {} } : undefined
}
