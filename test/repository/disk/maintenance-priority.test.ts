import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { maintainRepository } from '../../../src/repository/disk/maintain.js'
import { withSite } from '../../git/scratch-repository.js'

const MOST_NICENESS = 19

describe('the priority of maintenance', () => {
  it('is the lowest, and higher once there are a thousand packs', async () => {
    const own = Number(execFileSync('nice').toString())
    assert.deepEqual(await nicenessOfGit(3), [MOST_NICENESS])
    assert.deepEqual(await nicenessOfGit(1_001), [Math.min(own + 10, MOST_NICENESS)])
  })
})

/** Maintains a repository with so many files of packs. Returns what `nice` prints where git runs. */
async function nicenessOfGit(packs: number): Promise<number[]> {
  return await withSite({ 'index.html': 'first' }, async (gitdir) => {
    // git passes over a pack without an index.
    for (let pack = 0; pack < packs; pack++) writeFileSync(join(gitdir, 'objects', 'pack', `pack-${pack}.pack`), '')
    const log = join(gitdir, '..', 'niceness')
    const folder = join(gitdir, '..', 'bin')
    mkdirSync(folder)
    const git = execFileSync('sh', ['-c', 'command -v git']).toString().trim()
    writeFileSync(join(folder, 'git'), `#!/bin/sh\nnice >> '${log}'\nexec '${git}' "$@"\n`)
    chmodSync(join(folder, 'git'), 0o755)
    const { PATH } = process.env
    process.env['PATH'] = `${folder}:${PATH}`
    try {
      await maintainRepository(gitdir)
    } finally {
      process.env['PATH'] = PATH
    }
    return [...new Set(readFileSync(log, 'utf8').trim().split('\n').map(Number))]
  })
}
