import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, readdirSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SiteIndexes } from '../../../src/index/site-index.js'
import { parsePagePath } from '../../../src/model/paths/page-path.js'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import type { Write } from '../../../src/repository/protocol/write.js'
import { SiteWriter } from '../../../src/repository/writing/site-writer.js'
import { toWrite } from './batch-site.js'

const PAGES = 3

describe('a writer that stores the rows of its batch', () => {
  it('compares its commits in memory, and reads none of them from the disk', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-facts-'))
    const site = { id: randomUUID(), slug: 'demo' }
    const repositories = new DiskRepositories(dataDir)
    repositories.create(site, 1_790_000_000)
    const index = new SiteIndexes(dataDir).of(site.id)
    const writer = new SiteWriter(site, repositories.openForWriting(site), (commit) => commit, index)
    try {
      await writer.writeBatch(pages('first').slice(0, 1))
      const packs = join(repositories.gitdir(site), 'objects', 'pack')
      for (const name of readdirSync(packs)) empty(join(packs, name))
      const results = await writer.writeBatch(pages('second'))
      const changed = results.map((result) => 'written' in result && result.written.facts?.pageFiles.length)
      assert.deepEqual(changed, Array(PAGES).fill(1))
    } finally {
      writer.close()
      rmSync(dataDir, { recursive: true })
    }
  })
})

/** The writer may have the file open. */
function empty(path: string): void {
  chmodSync(path, 0o600)
  truncateSync(path)
}

function pages(text: string): Write[] {
  return Array.from({ length: PAGES }, (_, at) =>
    toWrite({
      kind: 'publish-page',
      newId: randomUUID(),
      path: parsePagePath(`/${at}`),
      html: Buffer.from(text),
      title: undefined,
      templateId: null,
      replace: true,
    }),
  )
}
