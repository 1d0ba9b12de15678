// Loaded into a service's processes (NODE_OPTIONS=--import): a timer of 1 ms notes each stretch in which the thread that serves
// hosted pages let no other work in. Lines of `<end, milliseconds since the epoch> <length>` in the file STALLS_FILE.

import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env['STALLS_FILE']
const MIN_MS = 2

// With several processes the worker serves; with one, the service does.
const [, program = ''] = process.argv
const serves =
  process.env['STALLS_IN'] === 'service' ? program.endsWith('palimpsest.js') : program.endsWith('worker.js')

if (file !== undefined && isMainThread && serves) {
  let last = performance.now()
  let cpu = process.cpuUsage()
  setInterval(() => {
    const now = performance.now()
    const { user, system } = process.cpuUsage(cpu)
    // What other processes took of the cores is no stretch of ours; other threads of ours are counted.
    const length = Math.min(now - last - 1, (user + system) / 1000)
    if (length > MIN_MS) appendFileSync(file, `${Date.now()} ${length}\n`)
    last = performance.now()
    cpu = process.cpuUsage()
  }, 1).unref()
}
