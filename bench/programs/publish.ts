// Measures a durable publish over HTTP, against the minimum for a durable file on this disk, and with many writers.

import { closeSync, fdatasyncSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const PAGES = 10
const WARM_UP = 200
const ROUNDS = 300
const WRITERS = 32
const WRITES_EACH = 60

let counter = 0

export async function benchPublish(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    // Both use one new folder: the cost of making a file depends on recent deletions next to it.
    const service = await runService({ dataDir: join(folder, 'data') })
    try {
      for (let i = 0; i < WARM_UP; i++) await publish(service)
      const ours: number[] = []
      const floor: number[] = []
      for (let i = 0; i < ROUNDS; i++) {
        ours.push(await timed(() => publish(service)))
        floor.push(await timed(() => writeOneFile(folder)))
      }
      const single = median(ours)
      const what = `one publish over HTTP, site of ${PAGES} pages, against one durable file of 2 KB`
      const times = { ours: `${single.toFixed(2)} ms`, peer: `${median(floor).toFixed(2)} ms` }
      const together = await writeTogether(service)
      const rates = { ours: `${together.toFixed(0)} /s`, peer: `${(1000 / single).toFixed(0)} /s` }
      return [
        { what, target: 'at most 5 ×', ...times, ratio: single / median(floor) },
        { what: `${WRITERS} writers over HTTP, one site, against one`, ...rates, ratio: (together * single) / 1000 },
      ]
    } finally {
      await service.stop()
    }
  })
}

function publish(service: RunningService): Promise<unknown> {
  counter += 1
  return service.put(`/page-${counter % PAGES}`, String(counter).padEnd(2048, 'x'))
}

/** Does the minimum for a durable file: create, write 2 KB, fdatasync, rename, fsync of the folder. */
function writeOneFile(folder: string): void {
  const fd = openSync(join(folder, 'new'), 'w')
  writeSync(fd, Buffer.alloc(2048, 'x'))
  fdatasyncSync(fd)
  closeSync(fd)
  renameSync(join(folder, 'new'), join(folder, 'file'))
  const parent = openSync(folder, 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/** Returns the publishes per second of all writers together. */
async function writeTogether(service: RunningService): Promise<number> {
  const writer = async () => {
    for (let i = 0; i < WRITES_EACH; i++) await publish(service)
  }
  const milliseconds = await timed(() => Promise.all(Array.from({ length: WRITERS }, writer)))
  return (WRITERS * WRITES_EACH * 1000) / milliseconds
}
