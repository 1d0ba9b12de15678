// Measures a start with 10,000 sites: time and memory until the service greets, and the repository files opened until then.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeSites } from '../ground/many-sites.js'
import type { Row } from '../ground/row.js'
import { median, runService } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const SITES = 10_000
const STARTS = 5
const MIB = 1024 * 1024
const TARGET = { milliseconds: 1_000, bytes: 150 * MIB }

export async function benchStart(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const few = await startsOver(join(folder, 'few'), 1)
    const many = await startsOver(join(folder, 'many'), SITES)
    const opened = await openedAtStart(join(folder, 'many'), folder)
    const what = `start with ${SITES} sites`
    return [
      {
        what: `${what}, until it greets, against 1 site`,
        target: `under ${TARGET.milliseconds} ms`,
        ours: `${many.milliseconds.toFixed(0)} ms`,
        peer: `${few.milliseconds.toFixed(0)} ms`,
        ratio: many.milliseconds / few.milliseconds,
      },
      {
        what: `${what}, most memory until then, against 1 site`,
        target: `under ${TARGET.bytes / MIB} MiB`,
        ours: `${(many.bytes / MIB).toFixed(0)} MiB`,
        peer: `${(few.bytes / MIB).toFixed(0)} MiB`,
        ratio: many.bytes / few.bytes,
      },
      {
        what: `${what}, files of repositories opened until then, as strace counts them`,
        target: '0',
        ours: opened === undefined ? 'no strace here' : String(opened),
        peer: '',
        ratio: Number.NaN,
      },
    ]
  })
}

async function startsOver(dataDir: string, sites: number): Promise<{ milliseconds: number; bytes: number }> {
  execFileSync('mkdir', ['-p', dataDir])
  await makeSites(dataDir, { sites, pages: 1 })
  const times: number[] = []
  const bytes: number[] = []
  for (let i = 0; i < STARTS; i++) {
    const service = await runService({ dataDir })
    times.push(service.greeted.milliseconds)
    bytes.push(service.greeted.peakBytes)
    await service.stop()
  }
  return { milliseconds: median(times), bytes: median(bytes) }
}

/** Counts the files opened below `site-*.git` before the greeting is written; undefined without strace. */
async function openedAtStart(dataDir: string, folder: string): Promise<number | undefined> {
  const log = join(folder, 'strace.log')
  try {
    execFileSync('strace', ['-V'], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  const under = ['strace', '-I2', '-f', '-qq', '-o', log, '-s', '256', '-e', 'trace=open,openat,write']
  const service = await runService({ dataDir, under })
  await service.stop()
  const lines = readFileSync(log, 'utf8').split('\n')
  const greeting = lines.findIndex((line) => /write\(1, .*localhost:\d+/.test(line))
  return lines.slice(0, greeting).filter((line) => /open(at)?\(.*\/site-\d+\.git/.test(line)).length
}
