// The longest objects that a push may bring: as long as the API takes them.

import type { ObjectType } from '../../../git/objects/object.js'
import type { Limits } from '../../../model/limits.js'
import {
  COLLECTION_DIR,
  MAX_COLLECTION_BYTES,
  MAX_RECORD_FILE_BYTES,
  MAX_SIDECAR_BYTES,
  SIDECAR_DIR,
} from '../../format/site-format.js'

/** The size limits of the API. */
export type PushedSizes = Pick<Limits, 'maxHtmlBytes' | 'maxFileBytes'>

const MAX_COMMIT_BYTES = 262_144
const MAX_TREE_BYTES = 64 * 1024 * 1024

/** The folder of a file, as far as the limit depends on it. */
export interface Place {
  kind: 'sidecars' | 'collections' | 'records' | 'others'
  /** Whether a percent sign in its path begins no escape: then nothing below it is a page. */
  isOdd: boolean
}

/** A file whose name has a percent sign that begins no escape is no page, even if it ends in .html. */
const STRAY_PERCENT = /%(?![0-9A-F]{2})/

/** `folder` is a path with a slash at its end; empty for the root. */
export function placeOf(folder: string): Place {
  const [top, next] = folder.split('/', 2)
  return { kind: kindOf(top, next), isOdd: STRAY_PERCENT.test(folder) }
}

function kindOf(top: string | undefined, next: string | undefined): Place['kind'] {
  if (top === SIDECAR_DIR) return 'sidecars'
  if (top === COLLECTION_DIR) return next === '' ? 'collections' : 'records'
  return 'others'
}

const MAX_BYTES = { sidecars: MAX_SIDECAR_BYTES, collections: MAX_COLLECTION_BYTES, records: MAX_RECORD_FILE_BYTES }

/** Returns the most bytes of a file. */
export function maxFileBytes(name: string, { kind, isOdd }: Place, sizes: PushedSizes): number {
  if (name.endsWith('.html') && !isOdd && !STRAY_PERCENT.test(name)) return sizes.maxHtmlBytes
  return kind === 'others' ? sizes.maxFileBytes : MAX_BYTES[kind]
}

/** Returns the most bytes of an object that is no file. */
export function maxObjectBytes(type: Exclude<ObjectType, 'blob'>): number {
  return type === 'tree' ? MAX_TREE_BYTES : MAX_COMMIT_BYTES
}
