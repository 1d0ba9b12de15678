// The difference that a draft makes to a site's files, as `git diff` writes it.

import type { TreeChange } from '../git/objects/diff.js'
import { isFile } from '../store/format/file-mode.js'
import { SIDECAR_DIR } from '../store/format/site-format.js'
import type { Snapshot } from '../store/reading/snapshot.js'
import { diffBlobs, type NamedBlob } from './blob-diff.js'

const MAX_COMPARED_FILES = 50
/** After this, no further file is compared. */
const MAX_COMPARING_MS = 100

/** Null where there is too much to compare. */
export function diffDraft(draft: Snapshot, changes: readonly TreeChange[]): string | null {
  const texts = changes.filter(({ path }) => !path.startsWith(`${SIDECAR_DIR}/`))
  if (texts.length > MAX_COMPARED_FILES) return null
  const end = performance.now() + MAX_COMPARING_MS
  let unified = ''
  for (const { path, before, after } of texts) {
    if (performance.now() > end) return null
    const diff = diffBlobs(draft, toNamedBlob(path, before), toNamedBlob(path, after))
    if (diff === undefined) return null
    unified += diff.unified
  }
  return unified
}

function toNamedBlob(path: string, entry: TreeChange['before']): NamedBlob {
  return entry !== undefined && isFile(entry.mode) ? { name: path, oid: entry.oid } : { name: '/dev/null', oid: null }
}
