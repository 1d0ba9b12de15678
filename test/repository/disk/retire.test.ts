import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUpSite } from '../../../src/repository/disk/back-up.js'
import { DiskRepositories } from '../../../src/repository/disk/disk-repositories.js'
import type { SiteRef } from '../../../src/repository/protocol/write.js'
import { git } from '../../support/git.js'
import { until } from '../../support/within.js'

const TIME = 1_790_000_000

/** Creates every missing folder again by its whole path, as `git index-pack` does. */
const KEEP_WRITING = `
  const { mkdirSync, writeFileSync } = require('node:fs')
  const [, folder] = process.argv
  for (let i = 1; ; i++) {
    try {
      mkdirSync(folder + '/pack', { recursive: true })
      writeFileSync(folder + '/pack/tmp_pack_' + i, '')
    } catch {}
  }`

describe('a repository that is retired', () => {
  let dataDir: string
  beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'palimpsest-retire-'))))
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  it('is moved aside while git still writes a push into it, without the pushed files', async () => {
    const repositories = new DiskRepositories(dataDir)
    for (let round = 0; round < 5; round++) {
      const site = { id: randomUUID(), slug: `site-${round}` }
      repositories.create(site, TIME)
      const folder = join(repositories.gitdir(site), 'palimpsest', 'push-1')
      const writing = spawn(process.execPath, ['-e', KEEP_WRITING, folder], { stdio: 'ignore' })
      try {
        await until(() => existsSync(join(folder, 'pack', 'tmp_pack_20')), Boolean)
        repositories.retire(site)
      } finally {
        writing.kill('SIGKILL')
        await once(writing, 'exit')
      }
      const retired = join(dataDir, '.retired', `${site.slug}-${site.id}.git`)
      assert.ok(existsSync(join(retired, 'HEAD')))
      assert.deepEqual(
        readdirSync(join(retired, 'palimpsest')).filter((name) => name.startsWith('push-')),
        [],
      )
    }
  })

  it('is backed up from where it is, also if it is moved aside after the backup began to read it', async () => {
    /** Retires the repository at the moment when its folder is named. */
    class Deleting extends DiskRepositories {
      #isDeleting = false

      override gitdir(asked: SiteRef): string {
        const gitdir = super.gitdir(asked)
        if (!this.#isDeleting) {
          this.#isDeleting = true
          this.retire(asked)
        }
        return gitdir
      }
    }
    const site = { id: randomUUID(), slug: 'deleted' }
    new DiskRepositories(dataDir).create(site, TIME)
    const head = git(join(dataDir, 'deleted.git'), 'rev-parse', 'main')
    const copy = join(dataDir, 'copy.git')
    await backUpSite(new Deleting(dataDir), site, copy)
    assert.equal(existsSync(join(dataDir, 'deleted.git')), false)
    assert.equal(git(copy, 'rev-parse', 'main'), head)
  })
})
