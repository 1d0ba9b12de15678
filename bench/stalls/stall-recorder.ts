// Loaded into a service's processes (NODE_OPTIONS=--import). A timer of 1 ms notes each stretch in which the serving thread blocked other
// work, in CPU time of that thread: the time of other threads and programs does not count. Appends lines of
// `<end, milliseconds since the epoch> <length, milliseconds>` to the file STALLS_FILE.
// Needs Linux.

import { appendFileSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const MIN_MS = 2
const NS_PER_MS = 1e6
/** The program that records: task processes load this module, too. */
const SERVING = 'palimpsest.js'

const file = process.env['STALLS_FILE']
const isServing = basename(process.argv[1] ?? '') === SERVING

if (file !== undefined && isServing && isMainThread) {
  const used = cpuClockOfThread()
  let before = used()
  setInterval(() => {
    const length = used() - before
    if (length > MIN_MS) appendFileSync(file, `${Date.now()} ${length.toFixed(2)}\n`)
    before = used()
  }, 1).unref()
}

/** Returns a function that reads the milliseconds that the calling thread has run. */
function cpuClockOfThread(): () => number {
  const schedstat = openSync('/proc/thread-self/schedstat', 'r')
  const text = Buffer.alloc(64)
  return () => Number.parseInt(text.toString('latin1', 0, readSync(schedstat, text, 0, text.length, 0)), 10) / NS_PER_MS
}
