// Measures replacing a page as a site with all its pages in one folder grows, against ten pages and against isomorphic-git.

import * as fs from 'node:fs'
import { join } from 'node:path'
import * as git from 'isomorphic-git'
import { importSite } from '../ground/import-site.js'
import { growRepository } from '../ground/large-repository.js'
import type { Row } from '../ground/row.js'
import { median, type RunningService, runService, timed } from '../ground/running-service.js'
import { withFolder } from '../ground/temporary-folder.js'

const SIZES = [
  { pages: 1_000, target: 1.5, againstPeer: undefined },
  { pages: 10_000, target: 4, againstPeer: undefined },
  { pages: 100_000, target: 20, againstPeer: 0.1 },
]
const ROUNDS = 40
const PEER_ROUNDS = 5
const WHO = { name: 'x', email: 'x@example.org' }

export async function benchFlatSite(): Promise<Row[]> {
  return await withFolder(async (folder) => {
    const service = await runService({ dataDir: join(folder, 'data') })
    try {
      const rows: Row[] = []
      const least = (await measure(service, folder, 10)).replace
      for (const { pages, target, againstPeer } of SIZES) {
        const { replace, first, gitdir } = await measure(service, folder, pages)
        const [what, peer] = [`replace among ${pages} pages`, await isomorphicCycle(gitdir)]
        rows.push({ ...row(`${what}, against 10`, replace, least), target: atMost(target) })
        rows.push({ ...row(`${what}, against isomorphic-git's own cycle`, replace, peer), target: atMost(againstPeer) })
        rows.push({ what: 'first GET after it', target: 'under 5 ms', ours: inMs(first), peer: '', ratio: Number.NaN })
      }
      return rows
    } finally {
      await service.stop()
    }
  })
}

async function measure(service: RunningService, folder: string, pages: number) {
  const slug = `flat-${pages}`
  const gitdir = join(folder, `${slug}.git`)
  await growRepository(gitdir, { pages, commits: 0, size: 512 })
  const siteId = await importSite(service, slug, gitdir)
  const replaces: number[] = []
  const firsts: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const page = (i * 7919) % pages
    replaces.push(await timed(() => service.put(`/page-${page}`, `${i}`.padEnd(2048, 'x'), siteId)))
    firsts.push(await timed(() => service.visit(`/page-${page}`, slug)))
  }
  return { replace: median(replaces), first: median(firsts), gitdir }
}

/** Returns the milliseconds of one usual replacement with that library: read the tree, write blob and tree, commit. Nothing is synced. */
async function isomorphicCycle(gitdir: string): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < PEER_ROUNDS; i++) {
    all.push(
      await timed(async () => {
        const head = await git.resolveRef({ fs, gitdir, ref: 'refs/heads/main' })
        const { tree } = await git.readTree({ fs, gitdir, oid: head })
        const oid = await git.writeBlob({ fs, gitdir, blob: Buffer.from(`${i}`.padEnd(2048, 'x')) })
        const next = tree.map((entry) => (entry.path === 'page-1.html' ? { ...entry, oid } : entry))
        const root = await git.writeTree({ fs, gitdir, tree: next })
        await git.commit({ fs, gitdir, ref: 'refs/heads/main', tree: root, message: 'Replace', author: WHO })
      }),
    )
  }
  return median(all)
}

function row(what: string, ours: number, peer: number): Row {
  return { what, ours: inMs(ours), peer: inMs(peer), ratio: ours / peer }
}

function inMs(milliseconds: number): string {
  return `${milliseconds.toFixed(1)} ms`
}

function atMost(ratio: number | undefined): string {
  return ratio === undefined ? '' : `at most ${ratio} ×`
}
