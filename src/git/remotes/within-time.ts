// Limits the time of an exchange with a remote.

import type { RemoteFailed } from './remote-failed.js'

/**
 * Runs the work with a signal that aborts when `stopped` does, or with `tooLate` after `ms`. If the work rejects after that, rejects with
 * the signal's reason. Leaves no timer behind.
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
