// Measures how packs affect a reader: memory with a pack of 300 MiB, and the first read of a page among many packs.

import { randomBytes } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { importSite } from '../ground/import-site.js'
import { growRepository } from '../ground/large-repository.js'
import type { Row } from '../ground/row.js'
import { median, peakOf, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const MIB = 1024 * 1024
const PAGES = 50
const LARGE_FILES = 5
const LARGE_BYTES = 64 * MIB
const MANY = [200, 1_000]
const STARTS = 7

export async function benchPacks(): Promise<Row[]> {
  return await withFolder(async (folder) => [...(await besideLargePack(folder)), ...(await amongManyPacks(folder))])
}

async function besideLargePack(folder: string): Promise<Row[]> {
  const dataDir = join(folder, 'large')
  await makeSite(dataDir, 'large', (gitdir) => {
    const files = Array.from({ length: LARGE_FILES }, (_, i) => [`large-${i}.bin`, () => randomBytes(LARGE_BYTES)])
    return growRepository(gitdir, { pages: PAGES, commits: 0, files: Object.fromEntries(files) as Files })
  })
  const service = await runService({ dataDir })
  try {
    // The first visit of any site has extra costs.
    await service.visit('/')
    const before = peakOf(service.pid)
    for (let page = 0; page < PAGES; page++) await service.visit(`/page-${page}`, 'large')
    const withPages = peakOf(service.pid)
    for (let i = 0; i < LARGE_FILES; i++) await service.visit(`/large-${i}.bin`, 'large')
    const withFiles = peakOf(service.pid)
    const what = `most memory beside a pack of ${largestPack(join(dataDir, 'large.git'))} MiB`
    const row = (read: string, now: number): Row => ({
      what: `${what}: ${read}, against before`,
      target: 'growth under 64 MiB',
      ours: inMebibytes(now),
      peer: inMebibytes(before),
      ratio: now / before,
    })
    return [
      row(`${PAGES} pages read`, withPages),
      row(`and ${LARGE_FILES} files of ${LARGE_BYTES / MIB} MiB`, withFiles),
    ]
  } finally {
    await service.stop()
  }
}

type Files = Record<string, () => Buffer>

async function amongManyPacks(folder: string): Promise<Row[]> {
  const dataDir = join(folder, 'many')
  for (const commits of [1, ...MANY]) {
    await makeSite(dataDir, `packs-${commits}`, (gitdir) =>
      growRepository(gitdir, { pages: PAGES, commits, isScattered: true }),
    )
  }
  const times = new Map<number, number[]>()
  for (let start = 0; start < STARTS; start++) {
    const service = await runService({ dataDir })
    await service.visit('/')
    for (const commits of [1, ...MANY]) {
      const time = await timed(() => service.visit(`/page-${start}`, `packs-${commits}`))
      times.set(commits, [...(times.get(commits) ?? []), time])
    }
    await service.stop()
  }
  const few = median(times.get(1) ?? [])
  return MANY.map((commits) => {
    const time = median(times.get(commits) ?? [])
    return {
      what: `first read of a page after a start, ${packsIn(join(dataDir, `packs-${commits}.git`)).length} packs, against ${packsIn(join(dataDir, 'packs-1.git')).length}`,
      ours: `${time.toFixed(1)} ms`,
      peer: `${few.toFixed(1)} ms`,
      ratio: time / few,
    }
  })
}

/** Makes a site with that slug, and grows its repository with git itself while no service runs. */
async function makeSite(dataDir: string, slug: string, grow: (gitdir: string) => Promise<void>): Promise<void> {
  const source = `${dataDir}-${slug}.git`
  await growRepository(source, { pages: PAGES, commits: 0 })
  const service = await runService({ dataDir })
  await importSite(service, slug, source)
  await service.stop()
  await grow(join(dataDir, `${slug}.git`))
}

function packsIn(gitdir: string): string[] {
  const folder = join(gitdir, 'objects', 'pack')
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pack'))
    .map((name) => join(folder, name))
}

function largestPack(gitdir: string): string {
  return (Math.max(...packsIn(gitdir).map((path) => statSync(path).size)) / MIB).toFixed(0)
}

function inMebibytes(bytes: number): string {
  return `${(bytes / MIB).toFixed(0)} MiB`
}
