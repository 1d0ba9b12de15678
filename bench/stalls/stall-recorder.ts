// Loaded into a service's processes (NODE_OPTIONS=--import): a timer of 1 ms notes each stretch in which a main thread let no other work
// in, as CPU time of that thread: what other threads and programs use meanwhile is not counted. Appends lines of
// `<end, milliseconds since the epoch> <length, milliseconds> <process>` to the file STALLS_FILE. The process is `hosting` or `first`.
// Needs Linux.

import { appendFileSync, openSync, readSync } from 'node:fs'
import { basename } from 'node:path'
import { isMainThread } from 'node:worker_threads'

const MIN_MS = 2
const NS_PER_MS = 1e6
const PROCESSES: Readonly<Record<string, string>> = { 'worker.js': 'hosting', 'palimpsest.js': 'first' }

const file = process.env['STALLS_FILE']
const name = PROCESSES[basename(process.argv[1] ?? '')]

if (file !== undefined && name !== undefined && isMainThread) {
  const used = cpuClockOfThread()
  let before = used()
  setInterval(() => {
    const length = used() - before
    if (length > MIN_MS) appendFileSync(file, `${Date.now()} ${length.toFixed(2)} ${name}\n`)
    before = used()
  }, 1).unref()
}

/** Milliseconds that the calling thread has run. */
function cpuClockOfThread(): () => number {
  const schedstat = openSync('/proc/thread-self/schedstat', 'r')
  const text = Buffer.alloc(64)
  return () => Number.parseInt(text.toString('latin1', 0, readSync(schedstat, text, 0, text.length, 0)), 10) / NS_PER_MS
}
