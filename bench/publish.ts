// What a durable publish costs: against the least that a durable file costs on this disk, and against git's own plumbing.

import { execFileSync } from 'node:child_process'
import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './row.js'
import { median, type RunningService, runService, timed } from './running-service.js'

const PAGES = 10
const ROUNDS = 200
const WRITERS = 32
const WRITES_EACH = 40
const PLUMBING_COMMITS = 40

let counter = 0

export async function benchPublish(): Promise<Row[]> {
  const service = await runService()
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-peer-'))
  try {
    for (let i = 0; i < PAGES; i++) await publish(service)
    const single = await againstFloor(service, folder)
    const many = await writeTogether(service)
    const plumbing = await plumbingRate(folder)
    return [
      single.row,
      rate(`${WRITERS} writers, one site, against git plumbing with core.fsync=all`, many, plumbing),
      rate(`${WRITERS} writers, one site, against one writer of ours`, many, 1000 / single.milliseconds),
    ]
  } finally {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function publish(service: RunningService): Promise<unknown> {
  counter += 1
  return service.put(`/page-${counter % PAGES}`, String(counter).padEnd(2048, 'x'))
}

async function againstFloor(service: RunningService, folder: string): Promise<{ row: Row; milliseconds: number }> {
  const ours: number[] = []
  const floor: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    ours.push(await timed(() => publish(service)))
    floor.push(await timed(() => writeOneFile(folder)))
  }
  const milliseconds = median(ours)
  const least = median(floor)
  const what = `one publish over HTTP, site of ${PAGES} pages, against one durable file of 2 KB`
  return {
    milliseconds,
    row: { what, ours: `${milliseconds.toFixed(2)} ms`, peer: `${least.toFixed(2)} ms`, ratio: milliseconds / least },
  }
}

/** Create, write 2 KB, fdatasync, rename, fsync of the folder. */
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

/** Commits a second with all writers at once. */
async function writeTogether(service: RunningService): Promise<number> {
  const writer = async () => {
    for (let i = 0; i < WRITES_EACH; i++) await publish(service)
  }
  const milliseconds = await timed(() => Promise.all(Array.from({ length: WRITERS }, writer)))
  return (WRITERS * WRITES_EACH * 1000) / milliseconds
}

/** Commits a second by hash-object, update-index, write-tree, commit-tree and update-ref, synced as git can. */
async function plumbingRate(folder: string): Promise<number> {
  const gitdir = join(folder, 'peer.git')
  const env = {
    ...process.env,
    GIT_AUTHOR_NAME: 'x',
    GIT_AUTHOR_EMAIL: 'x@x',
    GIT_COMMITTER_NAME: 'x',
    GIT_COMMITTER_EMAIL: 'x@x',
  }
  const git = (args: string[], input = '') =>
    execFileSync('git', ['--git-dir', gitdir, '-c', 'core.fsync=all', ...args], { env, input, encoding: 'utf8' }).trim()
  execFileSync('git', ['init', '--quiet', '--bare', gitdir])
  let parent = ''
  const milliseconds = await timed(() => {
    for (let i = 0; i < PLUMBING_COMMITS; i++) {
      const blob = git(['hash-object', '-w', '--stdin'], `${i}`.padEnd(2048, 'x'))
      git(['update-index', '--add', '--cacheinfo', `100644,${blob},page-${i % PAGES}.html`])
      const tree = git(['write-tree'])
      parent = git(['commit-tree', tree, '-m', 'Replace', ...(parent === '' ? [] : ['-p', parent])])
      git(['update-ref', 'refs/heads/main', parent])
    }
  })
  return (PLUMBING_COMMITS * 1000) / milliseconds
}

function rate(what: string, ours: number, peer: number): Row {
  return { what, ours: `${ours.toFixed(0)} /s`, peer: `${peer.toFixed(0)} /s`, ratio: ours / peer }
}
