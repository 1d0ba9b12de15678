// The time that an exchange with a remote may take.

import type { RemoteFailed } from './remote-failed.js'

/**
 * Runs the work with a signal that aborts once `stopped` does, or with `tooLate` after the time; what the work rejects with then is the
 * signal's reason. No timer is left once it has ended.
 */
export async function withinTime<T>(
  { ms, stopped, tooLate }: { ms: number; stopped: AbortSignal; tooLate: RemoteFailed },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(tooLate), ms).unref()
  const signal = AbortSignal.any([stopped, late.signal])
  try {
    return await work(signal)
  } catch (error) {
    throw signal.aborted ? signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}
