// Histories that old tools wrote, with faults that nothing reads wrongly: they are taken by each way, read, and written on.

import assert from 'node:assert/strict'
import { git } from '../../support/git.js'
import { gitWithInput } from '../../git/scratch-repository.js'
import { RemoteGit } from '../../support/remote-git.js'
import { startTestService, type TestService } from '../../support/service.js'
import { put } from '../../scenarios/client.js'

const FOLDER_MODE = Buffer.from('040000 docs\0')

describe('a history that old tools wrote', () => {
  let service: TestService
  const client = new RemoteGit()
  const clone = () => client.path('clone')

  before(async () => {
    service = await startTestService('old-histories')
    await client.run('clone', '-q', url(), 'clone')
  })
  after(async () => {
    await service.stop()
    client.remove()
  })

  const url = () => `http://git:${service.key}@127.0.0.1:${service.server.port}/git/old-histories`
  const store = (type: string, bytes: Buffer) =>
    gitWithInput(clone(), bytes, 'hash-object', '-w', '-t', type, '--literally', '--stdin').toString().trim()

  /** Adds a commit with all three faults, whose folder `docs` has a page of these words, and returns it. */
  function addOld(words: string): string {
    const page = store('blob', Buffer.from(words))
    const docs = store('tree', Buffer.concat([Buffer.from('100644 old.html\0'), Buffer.from(page, 'hex')]))
    const root = git(clone(), 'ls-tree', 'HEAD', '.site.json').split(/\s/)[2] ?? ''
    const entries = [
      Buffer.from('100644 .site.json\0'),
      Buffer.from(root, 'hex'),
      FOLDER_MODE,
      Buffer.from(docs, 'hex'),
    ]
    const tree = store('tree', Buffer.concat(entries))
    const parent = git(clone(), 'rev-parse', 'HEAD')
    const who = 'Ada Old <ada@example.org>1100000000 +051800'
    const lines = [`tree ${tree}`, `parent ${parent}`, `author ${who}`, `committer ${who}`, '', 'Old words']
    const commit = store('commit', Buffer.from(`${lines.join('\n')}\n`))
    git(clone(), 'reset', '-q', '--hard', commit)
    return commit
  }

  it('is taken over HTTP and by path, is sound for git, and is written on', async () => {
    for (const [way, remote] of [
      ['HTTP', url()],
      ['path', service.gitdir()],
    ] as const) {
      const commit = addOld(`pushed by ${way}`)
      await client.in('clone', 'push', '-q', remote, 'HEAD:main')
      assert.equal((await service.visit('/docs/old')).text, `pushed by ${way}`)
      const { body } = await service.api().get(`/sites/${service.site.id}/commits`).expect(200)
      const [newest] = (body as { data: { id: string; author: string; createdAt: string }[] }).data
      assert.deepEqual([newest?.id, newest?.author, newest?.createdAt], [commit, 'Ada Old', '2004-11-09T11:33:20Z'])
    }
    await put(service.api(), '/docs/new', 'new')
    await put(service.api(), '/docs-beside', 'beside')
    assert.deepEqual(
      git(service.gitdir(), 'ls-tree', '-r', '--name-only', 'main', 'docs', 'docs-beside.html').split('\n'),
      ['docs-beside.html', 'docs/new.html', 'docs/old.html'],
    )
    assert.equal(git(service.gitdir(), 'fsck', '--full', '--strict', '--no-dangling'), '')
    await client.run('clone', '-q', url(), 'again')
    assert.equal(await client.in('again', 'status', '--porcelain'), '')
  })
})
