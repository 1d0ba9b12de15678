// Writes the difference that a draft makes to a site's files, as `git diff` does.

import type { TreeChange } from '../../git/objects/diff.js'
import { ServiceError } from '../../model/errors.js'
import { MAX_DIFF_CHARACTERS } from '../../model/limits.js'
import { isFile } from '../../repository/format/file-mode.js'
import { FORMER_DIR, SIDECAR_DIR } from '../../repository/format/site-format.js'
import type { Snapshot } from '../../repository/reading/snapshot.js'
import { diffBlobs, MAX_BYTES, type NamedBlob } from './blob-diff.js'
import { startCpuBound } from '../../threads/cpu-bound.js'

const MAX_COMPARED_FILES = 50
const LOOKED_AT_BYTES = 8000
/** CPU time after which no further file is compared. */
const MAX_COMPARING_MS = 100

/** Returns null if there is too much to compare. */
export function diffDraft(draft: Snapshot, changes: readonly TreeChange[]): string | null {
  const texts = changes.filter(({ path }) => !path.startsWith(`${SIDECAR_DIR}/`) && !path.startsWith(`${FORMER_DIR}/`))
  if (texts.length > MAX_COMPARED_FILES) return null
  const isOver = startCpuBound(MAX_COMPARING_MS)
  let unified = ''
  for (const { path, before, after } of texts) {
    if (isOver()) return null
    const kinds = [before, after].map((entry) => kindOf(draft, entry))
    if (kinds.some((kind) => kind !== 'text')) {
      unified += kinds.includes('damaged')
        ? `The bytes of a/${path} or b/${path} are damaged\n`
        : `Binary files a/${path} and b/${path} differ\n`
      continue
    }
    const diff = diffBlobs(draft, toNamedBlob(path, before), toNamedBlob(path, after))
    if (diff === undefined) return null
    unified += diff.unified
    if (unified.length > MAX_DIFF_CHARACTERS) return null
  }
  return unified
}

/** Tells binary blobs as git does: by a NUL among the first bytes. A blob too long to be compared is not read for this. */
function kindOf(draft: Snapshot, entry: TreeChange['before']): 'text' | 'binary' | 'damaged' {
  if (entry === undefined || !isFile(entry.mode)) return 'text'
  try {
    if (draft.size(entry.oid) > MAX_BYTES) return 'text'
    return draft.blob(entry.oid).subarray(0, LOOKED_AT_BYTES).includes(0) ? 'binary' : 'text'
  } catch (error) {
    if (error instanceof ServiceError) return 'damaged'
    throw error
  }
}

function toNamedBlob(path: string, entry: TreeChange['before']): NamedBlob {
  return entry !== undefined && isFile(entry.mode) ? { name: path, oid: entry.oid } : { name: '/dev/null', oid: null }
}
