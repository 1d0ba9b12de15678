// Measures commits per second of the store itself, without HTTP: one writer and many, on one site and on many, against git's plumbing
// and against a loop that makes durable commits by hand.

import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { loadConfig } from '../../src/processes/config/config.js'
import { encodeCommit } from '../../src/git/objects/commit.js'
import { newObject } from '../../src/git/objects/object.js'
import { encodePack } from '../../src/git/storage/pack-writer.js'
import { MODE_BLOB, patchTree } from '../../src/git/objects/tree.js'
import { parsePagePath } from '../../src/model/paths/page-path.js'
import { Store } from '../../src/repository/store.js'
import type { SiteRef } from '../../src/repository/protocol/write.js'
import type { Row } from '../ground/row.js'
import { median, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'
import { plumbingIn } from '../publishing/plumbing.js'

const PAGES = 10
const WRITERS = 32
const WRITES_EACH = 150
const SINGLE_WRITES = 400
const PLUMBING_COMMITS = 60
const QUIET_WRITES = 300
const SECOND = 1_790_000_000
const WHO = { name: 'x', email: 'x@example.org', time: SECOND }

let counter = 0

export async function benchWriters(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const { limits } = loadConfig({ DATA_DIR: folder })
    const store = new Store({ dataDir: folder, limits })
    const sites = Array.from({ length: WRITERS + 1 }, (_, i) => ({ id: randomUUID(), slug: `site-${i}` }))
    for (const site of sites) {
      await store.writers.createRepository(site, SECOND)
      for (let i = 0; i < PAGES; i++) await publish(store, site)
    }
    const [hot = sites[0]!, quiet = sites[0]!, ...others] = sites
    const single = await rateOf(SINGLE_WRITES, () => loop(SINGLE_WRITES, () => publish(store, hot)))
    const together = await rateOf(WRITERS * WRITES_EACH, () =>
      Promise.all(Array.from({ length: WRITERS }, () => loop(WRITES_EACH, () => publish(store, hot)))),
    )
    const plumbing = await plumbingIn(folder)(PLUMBING_COMMITS, (number) => `page-${number % PAGES}.html`)
    const spread = await rateOf(WRITERS * WRITES_EACH, () =>
      Promise.all([hot, ...others].map((site) => loop(WRITES_EACH, () => publish(store, site)))),
    )
    const byHand = await rateOf(WRITERS * 20, () => commitByHand([hot, ...others], store, WRITERS * 20))
    const alone = await publishTimes(store, quiet)
    const stopped = new AbortController()
    const load = Array.from({ length: WRITERS }, () => untilAborted(stopped.signal, () => publish(store, hot)))
    const beside = await publishTimes(store, quiet)
    stopped.abort()
    await Promise.all(load)
    await store.close()
    return [
      row(`${WRITERS} writers, one site, against git plumbing with core.fsync=all`, 25, together, plumbing),
      row(`${WRITERS} writers, one site, against one writer of ours`, 3, together, single),
      row(`${WRITERS} writers, ${WRITERS} sites, against durable commits by hand`, 0.8, spread, byHand),
      timing('p99 of a quiet site beside one with 32 writers, against alone', at99(beside), at99(alone)),
      timing('median of the same', median(beside), median(alone)),
    ]
  })
}

async function publish(store: Store, site: SiteRef): Promise<void> {
  counter += 1
  await store.write(site, {
    operation: {
      kind: 'publish-page',
      newId: randomUUID(),
      path: parsePagePath(`/page-${counter % PAGES}`),
      html: Buffer.from(String(counter).padEnd(2048, 'x')),
      title: undefined,
      templateId: null,
      replace: true,
    },
    author: 'bench',
    time: SECOND,
    trailers: [],
  })
}

async function loop(times: number, work: () => Promise<void>): Promise<void> {
  for (let i = 0; i < times; i++) await work()
}

async function untilAborted(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) await work()
}

async function publishTimes(store: Store, site: SiteRef): Promise<number[]> {
  const all: number[] = []
  for (let i = 0; i < QUIET_WRITES; i++) all.push(await timed(() => publish(store, site)))
  return all
}

/** Makes commits with the minimum of writes and syncs for each: pack and index, their folder, the ref and its folder. */
function commitByHand(sites: readonly SiteRef[], store: Store, commits: number): void {
  for (let i = 0; i < commits; i++) {
    const gitdir = store.repositories.gitdir(sites[i % sites.length] ?? sites[0]!)
    const blob = newObject('blob', Buffer.from(`${i}`.padEnd(2048, 'x')))
    const tree = newObject('tree', patchTree(Buffer.alloc(0), [{ name: 'page.html', mode: MODE_BLOB, oid: blob.oid }]))
    const commit = encodeCommit({ tree: tree.oid, parents: [], author: WHO, committer: WHO, message: 'Replace\n' })
    const { id, pack, index } = encodePack([blob, tree, newObject('commit', commit)])
    const folder = join(gitdir, 'objects', 'pack')
    writeSynced(join(folder, 'by-hand.pack'), pack)
    writeSynced(join(folder, 'by-hand.idx'), index)
    renameSync(join(folder, 'by-hand.pack'), join(folder, `pack-${id}.pack`))
    renameSync(join(folder, 'by-hand.idx'), join(folder, `pack-${id}.idx`))
    syncFolder(folder)
    writeSynced(join(gitdir, 'by-hand'), Buffer.from(`${newObject('commit', commit).oid}\n`))
    renameSync(join(gitdir, 'by-hand'), join(gitdir, 'refs', 'heads', 'by-hand'))
    syncFolder(join(gitdir, 'refs', 'heads'))
  }
}

function writeSynced(path: string, bytes: Buffer): void {
  const fd = openSync(path, 'w')
  writeSync(fd, bytes)
  fsyncSync(fd)
  closeSync(fd)
}

function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

/** Returns the rate per second. */
async function rateOf(count: number, work: () => unknown): Promise<number> {
  return (count * 1000) / (await timed(work))
}

function at99(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN
}

function row(what: string, least: number, ours: number, peer: number): Row {
  return {
    what,
    target: `at least ${least} ×`,
    ours: `${ours.toFixed(0)} /s`,
    peer: `${peer.toFixed(0)} /s`,
    ratio: ours / peer,
  }
}

function timing(what: string, ours: number, peer: number): Row {
  return { what, ours: `${ours.toFixed(2)} ms`, peer: `${peer.toFixed(2)} ms`, ratio: ours / peer }
}
