// When a program may be started. Starting one stops its thread for milliseconds, in which the memory of the process is mapped for it:
// ten in a row are a stretch in which nobody is served.

import { setImmediate as nextTurn } from 'node:timers/promises'

let last: Promise<void> = Promise.resolve()

/** Resolves in a turn of the event loop in which no other program is started. */
export function startTurn(): Promise<void> {
  last = last.then(() => nextTurn())
  return last
}
