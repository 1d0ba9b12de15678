// The longest objects that a push may bring: as long as the API takes them.

import type { ObjectType } from '../../../git/objects/object.js'
import { type FileSizes, maxBytesOf } from '../../../model/limits.js'
import {
  COLLECTION_DIR,
  FORMER_DIR,
  MAX_COLLECTION_BYTES,
  MAX_RECORD_FILE_BYTES,
  MAX_SIDECAR_BYTES,
  SIDECAR_DIR,
} from '../../format/site-format.js'

const MAX_COMMIT_BYTES = 262_144
const MAX_TREE_BYTES = 64 * 1024 * 1024

/** The folder of a file, as far as the limit depends on it. */
export type Place = 'sidecars' | 'collections' | 'records' | 'others'

/** `folder` is a path with a slash at its end; empty for the root. */
export function placeOf(folder: string): Place {
  const [top, next] = folder.split('/', 2)
  if (top === SIDECAR_DIR || top === FORMER_DIR) return 'sidecars'
  if (top === COLLECTION_DIR) return next === '' ? 'collections' : 'records'
  return 'others'
}

const MAX_BYTES = { sidecars: MAX_SIDECAR_BYTES, collections: MAX_COLLECTION_BYTES, records: MAX_RECORD_FILE_BYTES }

/** Returns the most bytes of a file. */
export function maxFileBytes(name: string, place: Place, sizes: FileSizes): number {
  return place === 'others' || name.endsWith('.html') ? maxBytesOf(name, sizes) : MAX_BYTES[place]
}

/** Returns the most bytes of an object that is no file. */
export function maxObjectBytes(type: Exclude<ObjectType, 'blob'>): number {
  return type === 'tree' ? MAX_TREE_BYTES : MAX_COMMIT_BYTES
}
