// Frees the memory of bytes that only pass through a thread. Node holds each part of a body, up to 64 KiB, outside of V8's heap. V8 counts
// them, and looks through the whole heap once there are some megabytes: that stops the thread for milliseconds, several times a second
// where much passes. Nearly all of them are garbage at once, which a look at the young objects alone frees.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** V8 looks through the whole heap after some 12 MiB, and a part that is relayed is held twice. */
const MAX_HELD_BYTES = 4 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

let passed = 0

/** Called with the length of what has been handed on, or was read once. */
export function notePassed(bytes: number): void {
  passed += bytes
  if (passed < MAX_HELD_BYTES) return
  passed = 0
  collect({ type: 'minor' })
}
