// Makes data directories with any number of sites, fast: imports or copies repositories, and writes rows directly into the
// catalog.

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { openSqlite } from '../../src/catalog/sqlite/sqlite.js'
import { growRepository } from './large-repository.js'
import { runService } from './running-service.js'

const AT_ONCE = 500

const PAGE_BYTES = 4096

interface Extent {
  sites: number
  pages: number
}

/** Fills an empty folder with the sites `site-0`, `site-1`, …, each with the same pages `/page-0`, `/page-1`, … of 4 KB. */
export async function makeSites(dataDir: string, { sites, pages }: Extent): Promise<void> {
  await makeCatalog(dataDir)
  const model = join(dataDir, 'model.git')
  await growRepository(model, { pages, commits: 0, size: PAGE_BYTES })
  // Files that the service never reads or writes would only cost time here.
  execFileSync('rm', ['-rf', join(model, 'hooks'), join(model, 'info')])
  for (let first = 0; first < sites; first += AT_ONCE) {
    const names = Array.from({ length: Math.min(AT_ONCE, sites - first) }, (_, i) => `site-${first + i}.git`)
    const copy = 'for name; do cp -r model.git "$name"; done'
    execFileSync('sh', ['-c', copy, 'sh', ...names], { cwd: dataDir })
  }
  renameSync(model, join(dataDir, '.model'))
  execFileSync('rm', ['-rf', join(dataDir, '.model')])
  addRows(dataDir, sites)
}

/** Does the same with all pages different, which takes longer. */
export async function makeUnlikeSites(dataDir: string, { sites, pages }: Extent): Promise<void> {
  await makeCatalog(dataDir)
  for (let i = 0; i < sites; i++) {
    const gitdir = join(dataDir, `site-${i}.git`)
    await growRepository(gitdir, { pages, commits: 0, size: PAGE_BYTES, text: `Site ${i}` })
  }
  addRows(dataDir, sites)
}

/** Makes the catalog by a first start of the service. */
async function makeCatalog(dataDir: string): Promise<void> {
  const service = await runService({ dataDir })
  await service.stop()
}

function addRows(dataDir: string, sites: number): void {
  const catalog = openSqlite(join(dataDir, 'catalog.db'), { synchronous: 'NORMAL' })
  const [workspace] = catalog.prepare<{ id: string }>('SELECT id FROM workspaces').all([])
  const insert = catalog.prepare(
    "INSERT INTO sites (id, workspace_id, slug, state, created_at) VALUES (?, ?, ?, 'live', '2026-01-01T00:00:00Z')",
  )
  catalog.transact(() => {
    for (let i = 0; i < sites; i++) insert.run([randomUUID(), workspace?.id ?? null, `site-${i}`])
  })
  catalog.close()
}
