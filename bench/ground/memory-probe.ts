// Loaded into every thread of a measured service (`--import`): reports the thread's memory each second.

import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { threadId } from 'node:worker_threads'

const EACH_MS = 1_000
const folder = process.env['MEMORY_PROBE_DIR']
if (folder !== undefined) {
  const thread = basename(process.argv[1] ?? '', '.js')
  const tell = () => {
    const { heapUsed, heapTotal, external } = process.memoryUsage()
    writeFileSync(join(folder, `${threadId}.json`), JSON.stringify({ thread, heapUsed, heapTotal, external }))
  }
  setInterval(tell, EACH_MS).unref()
}
