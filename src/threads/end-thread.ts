// How a thread that works in the background ends: of its own accord, between two pieces of work.

import type { Worker } from 'node:worker_threads'

/** The message on which such a thread exits. */
export const END = 'end'

/** Past this it is ended wherever it is, milliseconds. */
const PATIENCE_MS = 2000

/**
 * Resolves when the thread is gone. Ended from outside in the moment in which it makes a zlib stream it would take the whole
 * process along: node asserts in its clean-up that no stream is closed before it is initialised.
 */
export async function endThread(thread: Worker): Promise<void> {
  const isGone = new Promise((resolve) => thread.once('exit', resolve))
  const late = setTimeout(() => void thread.terminate(), PATIENCE_MS)
  thread.postMessage(END)
  await isGone
  clearTimeout(late)
}
