// Waits for an event, as all tests wait: as long as a busy machine may need, and no longer than it takes.

import { setTimeout as pause } from 'node:timers/promises'

/** Longer than anything takes on a busy machine, and shorter than a test may take. */
export const PATIENCE_MS = 240_000
const LOOK_AGAIN_MS = 20

/** Asks again until `check` throws no more, and returns what it returned; past `limit` milliseconds its last complaint is thrown. */
export async function within<T>(limit: number, check: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + limit
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > end) throw error
    }
    await pause(LOOK_AGAIN_MS)
  }
}

/** Calls `look` again until `isDone` accepts the result, and returns it. An error of `look` is thrown at once. */
export async function until<T>(look: () => T | Promise<T>, isDone: (found: T) => boolean): Promise<T> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(LOOK_AGAIN_MS)) {
    const found = await look()
    if (isDone(found)) return found
    if (performance.now() > end) throw new Error(`it stays ${JSON.stringify(found)}`)
  }
}
