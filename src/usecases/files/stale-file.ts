// Refuses a stale entity tag of a file with the current one, and the changes since the client's.

import { ServiceError, whyStale } from '../../model/errors.js'
import { isOid } from '../../model/ids.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { AtSite, Reading } from '../context/call.js'
import type { Conditions } from '../context/input.js'
import { quoteTag } from '../context/result.js'
import { isInHistory } from './batch-file.js'

/** Adds the current entity tag and the difference to a `precondition_failed`; returns any other error as it is. */
export async function explainStaleFile(
  call: AtSite<Reading | 'tasks'>,
  { treePath, input: { ifMatch } }: { treePath: string; input: Conditions },
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'precondition_failed' || ifMatch === undefined) return error
  const entry = call.store.reader.snapshot(call.site).entry(treePath)
  if (entry === undefined || !isFile(entry.mode)) return error
  return await staleFile(call, { treePath, blob: entry.oid, ifMatch })
}

interface Stale {
  treePath: string
  /** Oid of the current bytes. */
  blob: string
  ifMatch: readonly string[] | '*'
}

/** Makes a `precondition_failed` with the current entity tag, and the difference from the bytes in `ifMatch`. */
export async function staleFile(
  call: AtSite<Reading | 'tasks'>,
  { treePath, blob, ifMatch }: Stale,
): Promise<ServiceError> {
  const diff = await diffSince(call, { treePath, blob, ifMatch })
  return new ServiceError(
    'precondition_failed',
    whyStale(ifMatch, 'The file has changed since If-Match. Read it again and repeat the change.'),
    { etag: quoteTag(blob), diff },
  )
}

/** Returns null if there is no difference to show: the write is refused as stale anyway. */
async function diffSince(call: AtSite<Reading | 'tasks'>, { treePath, blob, ifMatch }: Stale): Promise<string | null> {
  const { site } = call
  const [known = '', ...others] = ifMatch
  if (others.length > 0 || !isOid(known)) return null
  try {
    // Bytes that main lost are never shown.
    if (!(await isInHistory(call, known))) return null
    const source = call.store.sourceOf(site)
    const before = { name: `/${treePath} (in If-Match)`, oid: known }
    const after = { name: `/${treePath} (now)`, oid: blob }
    const diff = await call.tasks.run('diffFiles', { source, before, after }, site)
    return diff?.unified ?? null
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
