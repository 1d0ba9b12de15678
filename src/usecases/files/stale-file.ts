// Refuses a stale entity tag of a file with the current one, and the changes since the client's.

import type { Site } from '../../catalog/site.js'
import { ServiceError, whyStale } from '../../model/errors.js'
import { isOid } from '../../model/ids.js'
import { isFile } from '../../repository/format/file-mode.js'
import type { Conditions } from '../context/input.js'
import { quoteTag } from '../context/result.js'
import type { Services } from '../context/services.js'
import { isInHistory } from './batch-file.js'

/** Runs a change of the file, and adds the difference to a `precondition_failed`. */
export async function explainStaleFile<T>(
  services: Services,
  site: Site,
  { treePath, input: { ifMatch } }: { treePath: string; input: Conditions },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'precondition_failed' || ifMatch === undefined) throw error
    const entry = services.store.snapshot(site).entry(treePath)
    if (entry === undefined || !isFile(entry.mode)) throw error
    throw await staleFile(services, site, { treePath, blob: entry.oid, ifMatch })
  }
}

interface Stale {
  treePath: string
  /** Oid of the current bytes. */
  blob: string
  ifMatch: readonly string[] | '*'
}

/** Makes a `precondition_failed` with the current entity tag, and the difference from the bytes in `ifMatch`. */
export async function staleFile(
  services: Services,
  site: Site,
  { treePath, blob, ifMatch }: Stale,
): Promise<ServiceError> {
  const diff = await diffSince(services, site, { treePath, blob, ifMatch })
  return new ServiceError(
    'precondition_failed',
    whyStale(ifMatch, 'The file has changed since If-Match. Read it again and repeat the change.'),
    { etag: quoteTag(blob), diff },
  )
}

/** Returns null if there is no difference to show: the write is refused as stale anyway. */
async function diffSince(services: Services, site: Site, { treePath, blob, ifMatch }: Stale): Promise<string | null> {
  const [known = '', ...others] = ifMatch
  if (others.length > 0 || !isOid(known)) return null
  try {
    // Bytes that main lost are never shown.
    if (!(await isInHistory(services, site, known))) return null
    const source = services.store.sourceOf(site)
    const before = { name: `/${treePath} (in If-Match)`, oid: known }
    const after = { name: `/${treePath} (now)`, oid: blob }
    const diff = await services.tasks.run('diffFiles', { source, before, after }, site)
    return diff?.unified ?? null
  } catch (error) {
    if (error instanceof ServiceError) return null
    throw error
  }
}
