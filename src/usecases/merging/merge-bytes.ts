// Merges bytes that a client sends with those that are there now, in a task. Both began as the same earlier bytes.

import type { SiteCall } from '../context/call.js'

interface BytesToMerge {
  /** The blob from which both began. */
  base: string
  /** The blob that is there now. */
  ours: { blob: string; size: number }
  /** The bytes of the client. */
  theirs: Uint8Array
  isHtml: boolean
}

/** The merged bytes; or the text with git's conflict markers, which is undefined for bytes that cannot be merged. */
export type MergedBytes = { bytes: Uint8Array } | { bytes?: undefined; conflict: string | undefined }

/** The versions count as sent by the request. */
export async function mergeBytes(
  { hold, site, store, tasks }: SiteCall<'store' | 'tasks'>,
  { base, ours, theirs, isHtml }: BytesToMerge,
): Promise<MergedBytes> {
  await hold(ours.size)
  const source = store.sourceOf(site)
  const result = await tasks.run('mergeText', { source, base, ours: ours.blob, theirs, isHtml }, site)
  if ('conflict' in result) return { conflict: result.conflict }
  await hold(result.merged.byteLength, 'made')
  return { bytes: result.merged }
}
