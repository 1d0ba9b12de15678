// The tags of a mirrored site, and the cost of a mirror while nothing moves.

import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { assertSound, git } from '../../support/git.js'
import { MirrorGround, type MirroredSite } from './mirror-ground.js'
import { runHere } from '../../programs/shell.js'

describe('a mirror of a site with tags', () => {
  const ground = new MirrorGround()
  const { root, remote } = ground

  before(async () => await ground.start())
  after(async () => await ground.stop())
  beforeEach(() => (remote.options = { root }))

  const tag = ({ site }: MirroredSite, ...args: string[]) => git(ground.service.gitdir(site.slug), 'tag', ...args)
  const tagsIn = (bare: string) => git(bare, 'for-each-ref', '--format=%(refname:short) %(objectname)', 'refs/tags')
  const sameTags = async (mirrored: MirroredSite) =>
    await ground.eventually(
      'the remote has other tags',
      () => tagsIn(mirrored.bare) === tagsIn(ground.service.gitdir(mirrored.site.slug)),
    )
  async function makeFollowed(): Promise<MirroredSite> {
    const mirrored = await ground.make()
    await ground.publish(mirrored.site, '/first')
    await ground.set(mirrored.site, mirrored.url)
    await ground.until(mirrored.site, 'ok')
    return mirrored
  }

  it('sets, moves and deletes them as the site does, annotated, packed and in folders too', async () => {
    const mirrored = await makeFollowed()
    const { site, bare } = mirrored
    tag(mirrored, 'v1', 'main~1')
    tag(mirrored, '-a', '-m', 'Release', 'release/v1', 'main')
    await sameTags(mirrored)
    // Adds a tag to an existing folder.
    tag(mirrored, 'release/v2')
    await sameTags(mirrored)
    tag(mirrored, '--force', 'v1', 'main')
    tag(mirrored, '--delete', 'release/v1')
    await sameTags(mirrored)
    git(ground.service.gitdir(site.slug), 'pack-refs', '--all')
    tag(mirrored, '--delete', 'release/v2')
    await sameTags(mirrored)
    assert.match(tagsIn(bare), /^v1 [0-9a-f]{40}$/)
    await ground.until(site, 'ok')
    assertSound(bare)
  })

  it('pushes more of them than a service accepts at once', async () => {
    const mirrored = await makeFollowed()
    const gitdir = ground.service.gitdir(mirrored.site.slug)
    const lines = Array.from({ length: 150 }, (_, n) => `create refs/tags/t${n} refs/heads/main\n`)
    runHere({ command: ['git', '--git-dir', gitdir, 'update-ref', '--stdin'], input: lines.join('') })
    await sameTags(mirrored)
    assert.equal(tagsIn(mirrored.bare).split('\n').length, lines.length)
  })

  it('changes no branch, tag or other ref of the remote that does not come from the site', async () => {
    const mirrored = await makeFollowed()
    const { site, bare } = mirrored
    for (const ref of ['refs/heads/theirs', 'refs/tags/theirs', 'refs/notes/theirs'])
      git(bare, 'update-ref', ref, 'main~1')
    tag(mirrored, 'ours')
    await ground.eventually('the tag does not come', () => tagsIn(bare).includes('ours'))
    tag(mirrored, '--delete', 'ours')
    await ground.eventually('the tag stays', () => !tagsIn(bare).includes('ours'))
    await ground.publish(site, '/second')
    await ground.until(site, 'ok')
    const others = git(bare, 'for-each-ref', '--format=%(refname)')
    assert.equal(others, 'refs/heads/main\nrefs/heads/theirs\nrefs/notes/theirs\nrefs/tags/theirs')
  })

  it('stops if the remote has another tag of that name, names it, and continues once it is gone', async () => {
    const mirrored = await makeFollowed()
    const { site, bare } = mirrored
    git(bare, 'update-ref', 'refs/tags/v1', 'main~1')
    tag(mirrored, 'v1', 'main')
    assert.match((await ground.until(site, 'diverged')).error ?? '', /differ from those of this site: v1\./)
    assert.equal(git(bare, 'rev-parse', 'v1'), git(bare, 'rev-parse', 'main~1'))
    git(bare, 'tag', '--delete', 'v1')
    await ground.retry(site)
    await ground.until(site, 'ok')
    await sameTags(mirrored)
  })

  it('still pushes main if the remote refuses a tag, and reports which and why', async () => {
    const mirrored = await makeFollowed()
    const { site, bare } = mirrored
    const hook = join(bare, 'hooks', 'update')
    writeFileSync(hook, '#!/bin/sh\ncase $1 in refs/tags/*) echo no tags here >&2; exit 1; esac\n', { mode: 0o755 })
    tag(mirrored, 'refused')
    await ground.publish(site, '/third')
    const { error, lag } = await ground.until(site, 'failed')
    assert.match(error ?? '', /refuses the push: refs\/tags\/refused: hook declined.*no tags here/)
    if (lag !== 0) await ground.retry(site)
    await ground.eventually('main does not follow', () => {
      return git(bare, 'rev-parse', 'main') === git(ground.service.gitdir(site.slug), 'rev-parse', 'main')
    })
    rmSync(hook)
    await ground.retry(site)
    await ground.until(site, 'ok')
    await sameTags(mirrored)
  })

  it('sends no request to the disk, the catalog or the remote while nothing moves', async () => {
    const many = await Promise.all(Array.from({ length: 3 }, async () => await makeFollowed()))
    const { catalog, store } = ground.service.server.service.services
    const counters = [
      ...countCalls(catalog.mirrors, ['list', 'find', 'tagsOf', 'settle', 'keepTags']),
      ...countCalls(store.reader, ['head', 'refs']),
      ...countCalls(store, ['fetchSource']),
      () => remote.requests.length,
    ]
    const total = () => counters.reduce((sum, count) => sum + count(), 0)
    // A push is followed by a last look; what looks again and again never comes to rest.
    let before = -1
    for (let windows = 0; before !== total(); windows++) {
      assert.ok(windows < 10, 'the mirrors are looked at all the time')
      before = total()
      await pause(600)
    }
    const [moved] = many
    if (moved === undefined) throw new Error('there is no site')
    await ground.publish(moved.site, '/moved')
    await ground.eventually('the mirror does not follow', () => {
      return git(moved.bare, 'rev-parse', 'main') === git(ground.service.gitdir(moved.site.slug), 'rev-parse', 'main')
    })
  })
})

/** Counts calls from now on: one counter for each name. */
function countCalls<T extends object>(of: T, names: readonly (keyof T)[]): (() => number)[] {
  return names.map((name) => {
    let calls = 0
    const method = of[name] as (...args: unknown[]) => unknown
    Object.assign(of, {
      [name]: (...args: unknown[]) => {
        calls += 1
        return method.apply(of, args)
      },
    })
    return () => calls
  })
}
