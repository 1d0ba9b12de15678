import assert from 'node:assert/strict'
import { ServiceError } from '../../src/model/errors.js'
import { gitWithInput } from '../git/scratch-repository.js'
import { git } from '../support/git.js'
import { openServiceParts, type ServiceParts } from '../usecases/service-parts.js'

const WIDTH = 120
const LEVELS = 5

describe('the index of a tree that names the same folder again and again', () => {
  let parts: ServiceParts

  before(async () => {
    parts = await openServiceParts()
  })
  after(() => parts.stop())

  /** Puts 120^5 files into the site, past the hooks, with six objects; answers the commit. */
  function plant(gitdir: string): string {
    const blob = gitWithInput(gitdir, Buffer.from('x'), 'hash-object', '-w', '--stdin').toString().trim()
    const make = (entry: string) => {
      const lines = Array.from({ length: WIDTH }, (_, i) => `${entry}\t${i}.txt`)
      return gitWithInput(gitdir, `${lines.join('\n')}\n`, 'mktree')
        .toString()
        .trim()
    }
    let tree = make(`100644 blob ${blob}`)
    for (let level = 1; level < LEVELS; level++) tree = make(`040000 tree ${tree}`)
    const commit = git(gitdir, 'commit-tree', tree, '-p', 'main', '-m', 'Endless')
    git(gitdir, '-c', 'core.hooksPath=/dev/null', 'update-ref', 'refs/heads/main', commit)
    return commit
  }

  it('is refused at once with the name of the site, and stores nothing of the tree', async () => {
    const { indexer, index, site, services } = parts
    const commit = plant(parts.gitdir())
    await assert.rejects(
      indexer.bringToHead(site),
      (error) => error instanceof ServiceError && error.code === 'site_unreadable',
    )
    assert.notEqual(index.indexedCommit, commit)
    assert.match(JSON.stringify(services.store.troubles.list()), new RegExp(`${commit} has more than 1000000 files`))
  })
})
