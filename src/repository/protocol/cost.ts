// Estimates the cost of a write while it waits and when it is made, from the write itself. Nothing is read for it.

import type { PreparedDeploy, PreparedMerge } from './prepared.js'
import type { Change, Operation } from './write.js'

/** The size of paths, ids, and the caller's knowledge, in addition to the content. */
const BASE_BYTES = 1024
const VALUE_BYTES = 16

/** Returns the bytes that a write holds while it waits. */
export function sizeOf(operation: Operation): number {
  if (operation.kind === 'change-set') return operation.changes.reduce((sum, change) => sum + sizeOfChange(change), 0)
  if (operation.kind === 'deploy') return sizeOfDeploy(operation.prepared)
  if (operation.kind === 'revert-commits' || operation.kind === 'merge-branch')
    return BASE_BYTES + sizeOfMerge(operation.prepared)
  return sizeOfChange(operation)
}

function sizeOfChange(change: Change): number {
  switch (change.kind) {
    case 'publish-page':
    case 'replace-page':
      return BASE_BYTES + change.html.byteLength
    case 'put-file':
      return BASE_BYTES + ('content' in change.blob ? change.blob.content.byteLength : 0)
    case 'put-record':
      return BASE_BYTES + Buffer.byteLength(change.json)
    case 'put-collection':
      return BASE_BYTES + sizeOfValue(change.schema)
    default:
      return BASE_BYTES
  }
}

/** Counts only the paths: the trees and blobs of a deploy are on the disk. */
function sizeOfDeploy({ touched }: PreparedDeploy): number {
  return touched.reduce((sum, path) => sum + VALUE_BYTES + path.length, BASE_BYTES)
}

function sizeOfMerge(prepared: PreparedMerge | undefined): number {
  const { edits = [], judged = [] } = prepared ?? {}
  const bytes = edits.reduce((sum, { path, content }) => sum + path.length + (content?.byteLength ?? 0), 0)
  return judged.reduce((sum, { path }) => sum + path.length, bytes + VALUE_BYTES * (edits.length + judged.length))
}

/** Returns the size of a JSON value in memory. It may have 200,000 values, so nothing is allocated for each. */
function sizeOfValue(value: unknown): number {
  if (typeof value === 'string') return VALUE_BYTES + value.length
  if (typeof value !== 'object' || value === null) return VALUE_BYTES
  if (Array.isArray(value)) return value.reduce<number>((bytes, inner) => bytes + sizeOfValue(inner), VALUE_BYTES)
  const fields = value as Readonly<Record<string, unknown>>
  let bytes = VALUE_BYTES
  for (const name in fields) bytes += name.length + sizeOfValue(fields[name])
  return bytes
}

/**
 * Returns about how many folders a write makes anew: each costs a tree, with its reading and hashing. A folder with several files
 * counts once. Counting stops at `limit`.
 */
export function foldersOf(operation: Operation, limit: number): number {
  const folders = new Set<string>()
  for (const path of pathsOf(operation)) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const folder = path.slice(0, slash)
      if (folders.has(folder)) break
      if (folders.add(folder).size >= limit) return limit
    }
  }
  return folders.size
}

function pathsOf(operation: Operation): readonly string[] {
  if (operation.kind === 'change-set') return operation.changes.map(pathOf)
  // The trees of a deploy are made already.
  if (operation.kind === 'deploy') return []
  if (operation.kind === 'revert-commits' || operation.kind === 'merge-branch')
    return operation.prepared?.edits.map(({ path }) => path) ?? []
  return [pathOf(operation)]
}

function pathOf(change: Change): string {
  if ('path' in change) return change.path
  if ('page' in change) return change.page.path
  return 'to' in change ? change.to : ''
}
