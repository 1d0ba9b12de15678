// Puts, deletes, moves and rolls back files that are no pages; puts pages that are too large to be more than files. A file's entity tag is the oid of its blob, so a precondition needs only
// the tree.

import { hashObject } from '../../git/objects/object.js'
import { MODE_BLOB, type TreeEntry } from '../../git/objects/tree.js'
import { ServiceError, whyStale } from '../../model/errors.js'
import { pagePathOf, pagePathOfUrl, treePathOf } from '../../model/paths/page-path.js'
import { urlPathOfFile } from '../../model/paths/file-path.js'
import type { FileOperation, Precondition } from '../protocol/write.js'
import { type Outcome, unchanged, undoneLines } from './outcome.js'
import { assertMayReturn, assertNamesFree, assertPathFree, fileAt, parentsOf, type Places } from './page-place.js'
import type { SiteState } from '../staging/site-state.js'

type Kind<K extends FileOperation['kind']> = Extract<FileOperation, { kind: K }>

export function putFile(state: SiteState, operation: Kind<'put-file'>): Outcome {
  const { path, blob, ifAbsent, ifMatch, keepsUnmatched } = operation
  const before = fileAt(state, path)
  if (ifAbsent && before !== undefined) throw stale(before, 'A file is already at this path: replace it.')
  checkTag(before, operation)
  const id = `/${path}`
  const oid = 'oid' in blob ? blob.oid : hashObject('blob', blob.content)
  if (before?.oid === oid) return unchanged(id)
  if (before === undefined) assertFileFree(state, path)
  else if (keepsUnmatched === true && ifMatch === undefined)
    refuseToReplace(path, state.odb.readHeader(before.oid).size)
  if ('content' in blob) state.tree.put(path, blob.content)
  state.tree.putExisting(path, before?.mode ?? MODE_BLOB, oid)
  return { id, created: before === undefined, subject: `${before === undefined ? 'Add' : 'Replace'} file ${id}` }
}

export function deleteFile(state: SiteState, operation: Kind<'delete-file'>): Outcome {
  requireFile(state, operation.path, operation)
  state.tree.remove(operation.path)
  return { id: `/${operation.path}`, created: false, subject: `Delete file /${operation.path}` }
}

export function moveFile(state: SiteState, operation: Kind<'move-file'>): Outcome {
  const { from, to } = operation
  const { mode, oid } = requireFile(state, from, operation)
  if (from === to) return unchanged(`/${to}`)
  if (fileAt(state, to) !== undefined) refusePlace(to, 'a file is there', to)
  state.tree.remove(from)
  assertFileFree(state, to)
  state.tree.putExisting(to, mode, oid)
  return { id: `/${to}`, created: true, subject: `Move file /${from} to /${to}` }
}

/** Restores the bytes of an earlier version in a new commit, also for a deleted file. */
export function rollbackFile(state: SiteState, operation: Kind<'rollback-file'>): Outcome {
  const { path, version, blob, undone } = operation
  const before = fileAt(state, path)
  checkTag(before, operation)
  const id = `/${path}`
  if (before?.oid === blob) return unchanged(id)
  if (before === undefined) {
    const earlier = parentsOf(state, undone.newest.slice(0, 1))
    assertMayReturn(state, path, earlier, () => assertFileFree(state, path))
  }
  state.tree.putExisting(path, before?.mode ?? MODE_BLOB, blob)
  return {
    id,
    created: before === undefined,
    subject: `Roll back file ${id} to ${version.slice(0, 10)}`,
    body: undoneLines(undone),
  }
}

function requireFile(state: SiteState, path: string, precondition: Precondition): TreeEntry {
  const entry = fileAt(state, path)
  if (entry === undefined) throw new ServiceError('file_not_found', `There is no file /${path} in this site.`)
  checkTag(entry, precondition)
  return entry
}

/** Throws unless one of the entity tags is the file's (RFC 9110 §13.1.1); `*` matches any file. */
function checkTag(entry: TreeEntry | undefined, { ifMatch }: Precondition): void {
  if (ifMatch === undefined) return
  if (entry !== undefined && (ifMatch === '*' || ifMatch.includes(entry.oid))) return
  throw stale(
    entry,
    entry === undefined
      ? 'There is no file at this path: leave out If-Match to put a new one there.'
      : whyStale(ifMatch, 'The file has changed since If-Match. Read it again and repeat the change.'),
  )
}

function refuseToReplace(path: string, size: number): never {
  throw new ServiceError(
    'precondition_required',
    `A file of ${size} bytes is at /${path}. Read it, and send its ETag as If-Match to replace it. If-Match: * replaces it unread.`,
  )
}

function stale(entry: TreeEntry | undefined, message: string): ServiceError {
  return new ServiceError('precondition_failed', message, entry && { etag: `"${entry.oid}"` })
}

/** Throws if the file would hide a page, or its name equals another one under case folding. */
export function assertFileFree(state: Places, path: string): void {
  const own = pagePathOf(path)
  if (own !== undefined) return assertPathFree(state, own)
  const refuse = (reason: string, taker: string) => refusePlace(path, reason, taker)
  const page = pagePathOfUrl(urlPathOfFile(path) ?? '')
  if (page !== undefined && fileAt(state, treePathOf(page)) !== undefined)
    refuse(`the page ${page} answers there`, treePathOf(page))
  assertNamesFree(state, path, refuse)
}

function refusePlace(path: string, reason: string, taker: string): never {
  throw new ServiceError('path_conflict', `The path /${path} is not free: ${reason}. Choose another path.`, {
    path: `/${path}`,
    taker,
  })
}
