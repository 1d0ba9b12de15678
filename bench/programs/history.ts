// Measures reading a page's versions at histories of any length, against `git log -- path`. Also measures catching up with a long push
// while pages, lists and hosting go on.

import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { importSite, untilIndexed } from '../ground/import-site.js'
import { growRepository, pageIdOf, pagePathOf } from '../ground/large-repository.js'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const PAGES = 5_000
/** With all pages in one folder, each commit would make a tree of 200 KB, and the longest history would take hours. */
const FOLDERS = 100
const LENGTHS = [1_000, 10_000, 100_000]
const ASKED = 25
const PUSHED = 1_000
const PUSHED_PAGES = 1_000
/** Longer than the delay before a push is noticed. */
const SEEN_MS = 450

export async function benchHistory(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const service = await runService()
    try {
      const rows: Row[] = []
      for (const commits of LENGTHS) rows.push(await versionsAt(service, folder, commits))
      return [...rows, ...(await catchUp(service, folder))]
    } finally {
      await service.stop()
    }
  })
}

async function versionsAt(service: RunningService, folder: string, commits: number): Promise<Row> {
  const gitdir = join(folder, `history-${commits}.git`)
  await growRepository(gitdir, { pages: PAGES, commits, folders: FOLDERS })
  const siteId = await importSite(service, `history-${commits}`, gitdir)
  const ours: number[] = []
  const peer: number[] = []
  for (let i = 1; i <= ASKED; i++) {
    const page = (i * 7919) % PAGES
    ours.push(await timed(() => service.get(`/pages/${pageIdOf(page)}/versions`, siteId)))
    // Only one in five: at 100,000 commits git is slow.
    if (i % 5 === 0) peer.push(await timed(() => gitLog(gitdir, `${pagePathOf(page, FOLDERS)}.html`)))
  }
  return {
    what: `versions of a page, ${commits} commits, ${PAGES} pages in ${FOLDERS} folders, against git log -- path`,
    target: 'at most 0.02 ×, flat',
    ours: `${median(ours).toFixed(2)} ms`,
    peer: `${median(peer).toFixed(0)} ms`,
    ratio: median(ours) / median(peer),
  }
}

function gitLog(gitdir: string, path: string): void {
  execFileSync('git', ['-C', gitdir, 'log', '--format=%H %an %s', 'main', '--', path])
}

async function catchUp(service: RunningService, folder: string): Promise<Row[]> {
  const source = join(folder, 'pushed.git')
  await growRepository(source, { pages: PUSHED_PAGES, commits: 0 })
  const siteId = await importSite(service, 'pushed', source)
  const quiet = await visitWhile(service, pause(2_000))
  await growRepository(join(service.dataDir, 'pushed.git'), { pages: PUSHED_PAGES, commits: PUSHED })
  await pause(SEEN_MS)
  const listing = timed(() => service.get('/pages?limit=200', siteId))
  const walking = untilIndexed(service, siteId)
  const busy = await visitWhile(service, walking)
  const what = `${PUSHED} commits pushed to a site of ${PUSHED_PAGES} pages`
  const wait = (name: string, milliseconds: number) => ({
    what: `${what}: ${name}`,
    ours: `${milliseconds.toFixed(1)} ms`,
    peer: '',
    ratio: Number.NaN,
  })
  const hosting = (name: string, share: number): Row => ({
    ...wait(`hosting meanwhile, ${name}, against before`, at(busy, share)),
    peer: `${at(quiet, share).toFixed(1)} ms`,
    ratio: at(busy, share) / at(quiet, share),
  })
  return [
    { ...wait('versions wait', await walking), target: 'under 2000 ms' },
    wait('a list of 200 pages asked at once', await listing),
    hosting('p99', 0.99),
    hosting('longest', 1),
  ]
}

/** Visits a hosted page repeatedly until `work` is done. Returns the milliseconds of each visit. */
async function visitWhile(service: RunningService, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const end = work.then(() => true)
  for (let page = 0; ; page++) {
    times.push(await timed(() => service.visit(`/page-${page % PUSHED_PAGES}`, 'pushed')))
    if (await Promise.race([end, pause(2, false)])) return times
  }
}

function at(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
