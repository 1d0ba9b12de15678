// Checks whether a service stays as fast and small after SOAK_COMMITS publishes to one site (default: 100,000) as it was at
// first: times, memory of each thread, disk and packs after each tenth. Then a fresh process takes one more tenth on the same data, for its
// memory. Runs by name only: it takes minutes.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Progress, startProgress } from '../../src/cli/terminal/progress.js'
import type { Row } from '../ground/row.js'
import { withFolder } from '../ground/temporary-folder.js'
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
const HEADER = [
  'commits',
  'commits/s',
  'publish ms',
  'read ms',
  'processor ms',
  'memory MiB',
  'repository MiB',
  'index MiB',
  'packs',
]

interface Stage {
  commits: number
  perSecond: number
  publishTime: number
  readTime: number
  /** Processor time that the service takes for one publish and one read, also on a busy machine. */
  processorTime: number
  memory: ProcessMemory
  repository: number
  index: number
  packs: number
}

let counter = 0

export async function benchSoak(): Promise<Row[]> {
  return await withFolder(async (dataDir) => {
    const stages = await runStages(dataDir, TENTHS)
    const [fresh = stages[0]!] = await runStages(dataDir, 1)
    printLines(HEADER, [...stages, fresh].map(cellsOf))
    console.log()
    printMemory([...stages, fresh])
    console.log()
    const [first = fresh, last = fresh] = [stages[0], stages.at(-1)]
    const row = (what: string, unit: string, ours: number, peer: number): Row => ({
      what,
      ours: `${ours.toFixed(1)} ${unit}`,
      peer: `${peer.toFixed(1)} ${unit}`,
      ratio: ours / peer,
    })
    const since = `after ${last.commits} commits, against after ${first.commits}`
    const memory = last.memory.resident / MEBIBYTE
    return [
      row(`one publish ${since}`, 'ms', last.publishTime, first.publishTime),
      row(`a page read ${since}`, 'ms', last.readTime, first.readTime),
      row(`processor time of both ${since}`, 'ms', last.processorTime, first.processorTime),
      row(`memory ${since}`, 'MiB', memory, first.memory.resident / MEBIBYTE),
      row('memory, against a fresh process on the same data', 'MiB', memory, fresh.memory.resident / MEBIBYTE),
    ]
  })
}

/** Starts a service in the folder, and publishes a tenth of all commits in each stage. */
async function runStages(dataDir: string, count: number): Promise<Stage[]> {
  const probe = new ThreadProbe()
  const service = await runService({ dataDir, env: probe.env })
  const progress = startProgress(`Publishing ${(COMMITS * count) / TENTHS} times`, SHOWN)
  try {
    const stages: Stage[] = []
    for (let tenth = 1; tenth <= count; tenth++) {
      const times = await runTenth(service, counter + COMMITS / TENTHS, progress)
      stages.push({ ...times, memory: probe.read(service.pid), ...sizesOf(service) })
    }
    progress.done(`${counter} commits`)
    return stages
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
  const processorBefore = processorMsOf(service.pid)
  for (let i = 0; i < MEASURED; i++) {
    publishes.push(await timed(() => publish(service)))
    reads.push(await timed(() => service.visit(`/page-${(counter * 7919) % PAGES}`)))
  }
  const processorTime = (processorMsOf(service.pid) - processorBefore) / MEASURED
  // Fills the caches of pages alike, in each tenth and in the fresh process.
  for (let page = 0; page < PAGES; page++) await service.visit(`/page-${page}`)
  return { commits: counter, perSecond, publishTime: median(publishes), readTime: median(reads), processorTime }
}

function sizesOf({ dataDir }: RunningService): Pick<Stage, 'repository' | 'index' | 'packs'> {
  const gitdir = join(dataDir, 'demo.git')
  return {
    repository: diskMebibytes(gitdir),
    index: diskMebibytes(join(dataDir, 'index')),
    packs: readdirSync(join(gitdir, 'objects', 'pack')).filter((file) => file.endsWith('.pack')).length,
  }
}

/** Returns the processor time of the process so far, without that of git. Linux counts it in hundredths of a second. */
function processorMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function publish(service: RunningService): Promise<unknown> {
  counter += 1
  return service.put(`/page-${counter % PAGES}`, String(counter).padEnd(2048, 'x'))
}

function cellsOf({ commits, perSecond, publishTime, readTime, processorTime, memory, ...sizes }: Stage): string[] {
  const times = [publishTime, readTime, processorTime].map((time) => time.toFixed(1))
  const whole = [memory.resident / MEBIBYTE, sizes.repository, sizes.index, sizes.packs].map((size) => size.toFixed(0))
  return [String(commits), perSecond.toFixed(0), ...times, ...whole]
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
