// Tags that are pushed to nodes, by git itself.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { assertSound, git } from '../../support/git.js'
import { mintTestKey } from '../../support/mint-key.js'
import { RemoteGit } from '../../support/remote-git.js'
import { NodeServices } from './node-services.js'
import { until } from '../../support/within.js'
import { requestAs } from './request-as.js'

describe('a tag that is pushed to a node', () => {
  const client = new RemoteGit([], true)
  let services: NodeServices

  before(async function () {
    services = await NodeServices.start()
    for (const node of [0, 1]) await client.run('clone', '--quiet', services.cloneUrl(node), `clone-${node}`)
  })
  after(async () => {
    await services?.stop()
    client.remove()
  })

  const push = (node: number, ...args: string[]) => client.attempt('-C', client.path(`clone-${node}`), 'push', ...args)
  const tagsOf = async (node: number) =>
    (await client.run('ls-remote', '--tags', services.cloneUrl(node)))
      .split('\n')
      .flatMap((line) => /refs\/tags\/(\S+)$/.exec(line)?.[1] ?? [])

  it('is shown by the other one in the first request after the answer, with its objects', async () => {
    await client.in('clone-0', 'tag', 'light')
    await client.in('clone-0', 'tag', '-a', 'release/1', '-m', 'The first one')
    const { ok, stderr } = await push(0, 'origin', 'light', 'release/1')
    assert.ok(ok, stderr)
    assert.deepEqual(await tagsOf(1), ['light', 'release/1', 'release/1^{}'])
    await client.in('clone-1', 'fetch', '--quiet', '--tags')
    assert.match(await client.in('clone-1', 'cat-file', '-p', 'release/1'), /The first one/)
    assertSound(services.gitdir(1))
  })

  it('can come with a push of main, and name a pushed commit', async () => {
    writeFileSync(join(client.path('clone-1'), 'tagged.html'), 'tagged')
    await client.in('clone-1', 'add', '--all')
    await client.in('clone-1', 'commit', '--quiet', '-m', 'Tagged')
    await client.in('clone-1', 'tag', '-a', 'both', '-m', 'Main and tag')
    const { ok, stderr } = await push(1, 'origin', 'main', 'both')
    assert.ok(ok, stderr)
    assert.equal((await services.visit(0, 'demo', '/tagged')).text, 'tagged')
    assert.equal(git(services.gitdir(0), 'rev-parse', 'both^{commit}'), git(services.gitdir(0), 'rev-parse', 'main'))
  })

  it('is moved and deleted for all nodes, only by a key with the scope admin', async () => {
    const { key } = await mintTestKey(services.at(0).service.services, { scopes: ['read', 'write'] })
    const refused = await push(0, services.cloneUrl(0, 'demo', key), ':light')
    assert.match(refused.stderr, /needs a key with the scope "admin"/)
    await client.in('clone-0', 'pull', '--quiet')
    await client.in('clone-0', 'tag', '-f', 'light', 'main')
    assert.ok((await push(0, '-f', 'origin', 'light')).ok)
    const main = git(services.gitdir(0), 'rev-parse', 'main').trim()
    assert.match(await client.run('ls-remote', services.cloneUrl(1), 'light'), new RegExp(`^${main}`))
    assert.ok((await push(0, 'origin', ':light')).ok)
    assert.equal((await tagsOf(1)).includes('light'), false)
  })

  it('is refused if its name is a folder of another one', async () => {
    assert.match((await push(0, 'origin', 'main:refs/tags/release/1/x')).stderr, /another tag has its name as a folder/)
  })

  it('is set once if two nodes set it at the same moment', async () => {
    for (let i = 0; i < 2; i++) {
      for (const node of [0, 1]) {
        await client.in(`clone-${node}`, 'tag', '-a', `race-${i}`, '-m', `of ${node}`)
      }
      const answers = await Promise.all([0, 1].map((node) => push(node, 'origin', `race-${i}`)))
      assert.equal(answers.filter(({ ok }) => ok).length, 1, JSON.stringify(answers))
      const [one, other] = await Promise.all([0, 1].map((node) => client.run('ls-remote', services.cloneUrl(node))))
      assert.equal(one, other)
    }
  })

  it('is there on a node that joins', async () => {
    await services.add()
    // Until it has fetched all, it refuses the site.
    const refsOf = (node: number) => client.run('ls-remote', services.cloneUrl(node)).catch(() => undefined)
    assert.equal(
      await until(
        () => refsOf(2),
        (refs) => refs !== undefined,
      ),
      await refsOf(0),
    )
    assertSound(services.gitdir(2))
  })

  it('is refused by path, as a move of main is, with the URL to push to', async () => {
    const folder = services.gitdir(0)
    await client.in('clone-0', 'commit', '--quiet', '--allow-empty', '-m', 'By path')
    for (const refs of ['main~1:refs/tags/by-path', 'main', ':refs/tags/both']) {
      const { ok, stderr } = await client.attempt('-C', client.path('clone-0'), 'push', '-f', folder, refs)
      assert.equal(ok, false)
      const url = `http://localhost:${services.at(0).port}/git/demo.git`
      assert.ok(stderr.includes(`this is the copy of one node. Push over HTTP instead: git push ${url}`), stderr)
    }
    git(folder, 'pack-refs', '--all')
    assert.match(await client.run('ls-remote', services.cloneUrl(0)), /refs\/tags\/both/)
  })

  it('is undone if no hook saw it, as a move of main is, and its object is kept and reported', async () => {
    const folder = services.gitdir(0)
    const as = ['-c', 'user.name=O', '-c', 'user.email=o@example.org', '-c', 'core.hooksPath=/dev/null']
    const head = git(folder, 'rev-parse', 'main').trim()
    const foreign = git(folder, ...as, 'commit-tree', '-p', head, '-m', 'By path', 'main^{tree}').trim()
    git(folder, ...as, 'tag', '-a', 'sneaked', '-m', 'By path', head)
    const tag = git(folder, 'rev-parse', 'sneaked').trim()
    git(folder, ...as, 'update-ref', 'refs/heads/main', foreign)
    const health = await until(
      async () => (await requestAs(services.at(0).port, { path: '/healthz?verbose=1', host: 'localhost' })).body,
      ({ troubles }) => troubles.length === 2,
    )
    const subjects = health.troubles.map(({ subject }: { subject: string }) => subject)
    assert.deepEqual(subjects.toSorted(), [foreign, tag].map((oid) => `refs/palimpsest/lost/${oid}`).toSorted())
    assert.equal(git(folder, 'rev-parse', 'main').trim(), head)
    assert.equal((await tagsOf(0)).includes('sneaked'), false)
  })
})
