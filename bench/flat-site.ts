// What a replacement costs as a site with all its pages in one folder grows, against ten pages, and against isomorphic-git.

import * as fs from 'node:fs'
import { join } from 'node:path'
import * as git from 'isomorphic-git'
import { growRepository, pageIdOf } from './large-repository.js'
import type { Row } from './row.js'
import { median, palimpsest, type RunningService, runService, timed } from './running-service.js'
import { withFolder } from './temporary-folder.js'

const SIZES = [
  { pages: 1_000, target: 1.5 },
  { pages: 10_000, target: 4 },
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
      for (const { pages, target } of SIZES) {
        const { replace, first, gitdir } = await measure(service, folder, pages)
        rows.push(row(`replace among ${pages} pages, against 10 (target: ${target} ×)`, replace, least))
        rows.push(row('first GET after it (target: 5 ms)', first, 5))
        rows.push(row("the same, against isomorphic-git's own cycle", replace, await isomorphicCycle(gitdir)))
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
  const siteId = palimpsest(service.dataDir, 'sites', 'import', slug, gitdir)
  while ((await service.get(`/pages/${pageIdOf(0)}/versions`, siteId)).status === 503);
  const replaces: number[] = []
  const firsts: number[] = []
  for (let i = 0; i < ROUNDS; i++) {
    const page = (i * 7919) % pages
    replaces.push(await timed(() => service.put(`/page-${page}`, `${i}`.padEnd(2048, 'x'), siteId)))
    firsts.push(await timed(() => service.visit(`/page-${page}`, slug)))
  }
  return { replace: median(replaces), first: median(firsts), gitdir }
}

/** Milliseconds for one replacement as its users make it: read the tree, write blob and tree, commit. Synced nowhere. */
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
  return { what, ours: `${ours.toFixed(1)} ms`, peer: `${peer.toFixed(1)} ms`, ratio: ours / peer }
}
