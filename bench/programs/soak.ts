// Checks whether a service stays as fast and small after SOAK_COMMITS publishes to one site (default: 100,000) as it was at
// first: times, memory of each thread, disk and packs after each tenth. Runs by name only: it takes minutes.

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { type Progress, startProgress } from '../../src/cli/terminal/progress.js'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'
import { type ProcessMemory, ThreadProbe } from '../ground/thread-memory.js'

const COMMITS = Number(process.env['SOAK_COMMITS'] ?? 100_000)
const TENTHS = 10
const PAGES = 1_000
const WRITERS = 32
/** Publishes and reads measured one after the other, at the end of each tenth. */
const MEASURED = 200
/** Number of progress updates. */
const SHOWN = 50
const MEBIBYTE = 1024 * 1024
const HEADER = ['commits', 'commits/s', 'publish ms', 'read ms', 'memory MiB', 'repository MiB', 'index MiB', 'packs']

interface Stage {
  commits: number
  perSecond: number
  publishTime: number
  readTime: number
  memory: ProcessMemory
  repository: number
  index: number
  packs: number
}

let counter = 0

export async function benchSoak(): Promise<Row[]> {
  const probe = new ThreadProbe()
  const service = await runService({ env: probe.env })
  const progress = startProgress(`Publishing ${COMMITS} times`, SHOWN)
  try {
    const stages: Stage[] = []
    for (let tenth = 1; tenth <= TENTHS; tenth++) {
      const until = (COMMITS * tenth) / TENTHS
      const times = await runTenth(service, until, progress)
      stages.push({ ...times, memory: probe.read(service.pid), ...sizesOf(service) })
    }
    progress.done(`${counter} commits`)
    printLines(HEADER, stages.map(cellsOf))
    console.log()
    printMemory(stages)
    console.log()
    const [first = stages[0]!, last = stages.at(-1)!] = [stages[0], stages.at(-1)]
    const row = (what: string, unit: string, ours: number, peer: number): Row => ({
      what: `${what} after ${last.commits} commits, against after ${first.commits}`,
      ours: `${ours.toFixed(1)} ${unit}`,
      peer: `${peer.toFixed(1)} ${unit}`,
      ratio: ours / peer,
    })
    return [
      row('one publish', 'ms', last.publishTime, first.publishTime),
      row('a page read', 'ms', last.readTime, first.readTime),
      row('memory', 'MiB', last.memory.resident / MEBIBYTE, first.memory.resident / MEBIBYTE),
    ]
  } finally {
    await service.stop()
    probe.close()
  }
}

async function runTenth(service: RunningService, until: number, progress: Progress) {
  const before = counter
  const writer = async () => {
    while (counter < until - MEASURED) {
      await publish(service)
      if (counter % (COMMITS / SHOWN) === 0) progress.advance(`${counter} commits`)
    }
  }
  const milliseconds = await timed(() => Promise.all(Array.from({ length: WRITERS }, writer)))
  const perSecond = ((counter - before) * 1000) / milliseconds
  const publishes: number[] = []
  const reads: number[] = []
  for (let i = 0; i < MEASURED; i++) {
    publishes.push(await timed(() => publish(service)))
    reads.push(await timed(() => service.visit(`/page-${(counter * 7919) % PAGES}`)))
  }
  return { commits: counter, perSecond, publishTime: median(publishes), readTime: median(reads) }
}

function sizesOf({ dataDir }: RunningService): Pick<Stage, 'repository' | 'index' | 'packs'> {
  const gitdir = join(dataDir, 'demo.git')
  return {
    repository: diskMebibytes(gitdir),
    index: diskMebibytes(join(dataDir, 'index')),
    packs: readdirSync(join(gitdir, 'objects', 'pack')).filter((file) => file.endsWith('.pack')).length,
  }
}

function publish(service: RunningService): Promise<unknown> {
  counter += 1
  return service.put(`/page-${counter % PAGES}`, String(counter).padEnd(2048, 'x'))
}

function cellsOf({ commits, perSecond, publishTime, readTime, memory, repository, index, packs }: Stage): string[] {
  const whole = [memory.resident / MEBIBYTE, repository, index, packs].map((value) => value.toFixed(0))
  return [String(commits), perSecond.toFixed(0), publishTime.toFixed(1), readTime.toFixed(1), ...whole]
}

/** Prints mebibytes for each thread: used heap, total heap, and memory outside of the heap. */
function printMemory(stages: readonly Stage[]): void {
  const names = [...new Set(stages.flatMap(({ memory }) => [...memory.threads.keys()]))]
  const cells = stages.map(({ commits, memory }) => [
    String(commits),
    ...names.map((name) => {
      const thread = memory.threads.get(name)
      return [thread?.heapUsed, thread?.heapTotal, thread?.external].map(mebibytes).join(' / ')
    }),
    mebibytes(memory.rest),
  ])
  printLines(['commits', ...names.map((name) => `${name}: used / heap / external`), 'rest'], cells)
}

function printLines(header: readonly string[], rows: readonly string[][]): void {
  for (const cells of [header, header.map(() => '---'), ...rows]) console.log(`| ${cells.join(' | ')} |`)
}

function mebibytes(bytes = 0): string {
  return (bytes / MEBIBYTE).toFixed(0)
}

/** Returns the disk space of a file or folder. Ignores files that maintenance removes meanwhile. */
function diskMebibytes(path: string): number {
  const told = execFileSync('sh', ['-c', 'du -sk "$1" 2>/dev/null || true', 'sh', path], { encoding: 'utf8' })
  return Number.parseInt(told, 10) / 1024
}
