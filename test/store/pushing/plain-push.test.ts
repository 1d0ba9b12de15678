import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import * as fc from 'fast-check'
import { runGit } from '../../../src/git/command.js'
import type { NewObject } from '../../../src/git/objects/object.js'
import { DraftObjects } from '../../../src/git/storage/draft-objects.js'
import { UninstalledPacks } from '../../../src/git/streams/uninstalled-packs.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { encodePack } from '../../../src/git/storage/pack-writer.js'
import { judgePush, PushRefused } from '../../../src/store/hooks/judge-push.js'
import { hooksOfSite } from '../../../src/store/hooks/site-hooks.js'
import { writePushLimits } from '../../../src/store/hooks/push-limits.js'
import { isPlainPush } from '../../../src/store/pushing/plain-push.js'
import { dropQuarantine, type Quarantine, receivePack } from '../../../src/store/pushing/quarantine.js'
import { git } from '../../support/git.js'
import { LOG, MAIN, storeCommit, withSite } from '../../git/scratch-repository.js'
import { moveRef } from '../../../src/git/repository/ref.js'
import {
  buildPush,
  commitOf,
  deepFolder,
  type Entry,
  folderAt,
  put,
  randomPushes,
  treeOf,
} from '../../support/random-push.js'
import { siteFileOf } from '../../git/site-file.js'

const RUNS = 20
const SITE_ID = randomUUID()
/** Limits that the random pushes expect. */
const SIZES = { maxHtmlBytes: 4000, maxFileBytes: 5000 }
const FILES = {
  '.site.json': siteFileOf(SITE_ID),
  'index.html': 'hello',
  'docs/a.html': 'a',
  'docs/deep/b.html': 'b',
  '.pages/ab/x.json': '{}',
  'a.css': 'c',
}

/** A site of two commits, and pushes to it that are made of any bytes. */
class Site {
  readonly gitdir: string
  readonly first: string
  readonly head: string

  constructor(gitdir: string, first: string) {
    this.gitdir = gitdir
    this.first = first
    const { oid, pack } = storeCommit(gitdir, { ...FILES, 'later.html': 'later' }, [first])
    moveRef(gitdir, MAIN, first, oid, LOG)
    pack.release()
    this.head = oid
    writePushLimits(dirname(gitdir), SIZES)
  }

  oid(path: string): string {
    return git(this.gitdir, 'rev-parse', `${this.head}:${path}`)
  }

  /** Returns the verdicts of git, the hook and the shortcut on a push of these objects. */
  async judge(
    objects: readonly NewObject[],
    after: string,
  ): Promise<{ isPlain: boolean; refusal: string | undefined }> {
    let quarantine: Quarantine | undefined
    let isPlain = false
    try {
      const { pack: bytes } = encodePack(objects)
      const options = {
        maxBytes: 1e6,
        maxFileBytes: 1e6,
        checkRoom: () => undefined,
        signal: AbortSignal.timeout(60_000),
      }
      quarantine = await receivePack(
        this.gitdir,
        (async function* () {
          yield bytes
        })(),
        options,
      )
      const repository = new ObjectDatabase(this.gitdir)
      const packs = quarantine.pack === undefined ? [] : [quarantine.pack.path]
      isPlain = isPlainPush(new UninstalledPacks(repository, packs), this.head, after, SIZES)
      repository.close()
      const given = { newObjects: quarantine.folder }
      await runGit(this.gitdir, ['rev-list', '--objects', after, '--not', '--all', '--quiet'], given)
      const warnings = await judgePush(this.gitdir, [{ ref: MAIN, before: this.head, after }], given)
      return { isPlain, refusal: warnings[0] }
    } catch (error) {
      if (!(error instanceof PushRefused) && !(error instanceof Error && error.name === 'GitFailed')) throw error
      return { isPlain, refusal: error.message }
    } finally {
      if (quarantine !== undefined) await dropQuarantine(quarantine)
    }
  }
}

/** Changes of the site's files, a commit each; `undefined` removes a file. */
type Changes = Record<string, Entry | undefined>
const text = (content: string): Entry => ({ mode: '100644', content })

describe('a push that plainly breaks no rule', () => {
  function isPlain(site: Site, commits: readonly Changes[], parents?: string[]): boolean {
    const objects: NewObject[] = []
    const root = folderAt(site)
    let after = site.head
    for (const changes of commits) {
      for (const [path, entry] of Object.entries(changes)) put(root, path, entry)
      const commit = commitOf(treeOf(root, objects), parents ?? [after])
      objects.push(commit)
      after = commit.oid
    }
    const repository = new ObjectDatabase(site.gitdir)
    try {
      return isPlainPush(new DraftObjects(repository, objects), site.head, after, SIZES)
    } finally {
      repository.close()
    }
  }

  it('may replace, add, remove and move files, in one commit or in several', () => {
    withSite(FILES, (gitdir, first) => {
      const site = new Site(gitdir, first)
      const known = { mode: '100644', oid: site.oid('docs/a.html') }
      for (const commits of [
        [{ 'index.html': text('new') }],
        [{ 'new/folder/\xc3\xa4.html': text('new'), 'run.sh': { mode: '100755', content: 'x' } }],
        [{ 'docs/a.html': undefined, 'docs/moved.html': known }],
        [{ elsewhere: { mode: '40000', oid: site.oid('docs') } }],
        [{ 'a.css': text('1') }, { 'a.css': text('2') }, { 'a.css': text('c') }],
        [{ '.pages/ab/y.json': text('{}'), 'y.html': text('y') }],
      ])
        assert.equal(isPlain(site, commits), true, JSON.stringify(commits))
    })
  })

  it('has no other kinds of files, rules, merges, missing objects, or objects that are too large or too many', () => {
    withSite(FILES, (gitdir, first) => {
      const site = new Site(gitdir, first)
      const cases: [Changes, string[]?][] = [
        [{ link: { mode: '120000', content: 'index.html' } }],
        [{ module: { mode: '160000', oid: site.head } }],
        [{ '.site.json': text('{}') }],
        [{ '.site.json': { mode: '40000', oid: site.oid('docs') } }],
        [{ '.site.json': undefined }],
        [{ _redirects: text('/a /b') }],
        [{ _redirects: { mode: '40000', oid: site.oid('docs') } }],
        [{ _headers: text('/*') }],
        [{ 'gone.html': { mode: '100644', oid: '1'.repeat(40) } }],
        [{ gone: { mode: '40000', oid: '1'.repeat(40) } }],
        [{ 'tree.html': { mode: '100644', oid: site.oid('docs') } }],
        [{ blob: { mode: '40000', oid: site.oid('a.css') } }],
        [{ 'large.html': text('x'.repeat(4001)) }],
        [{ 'a\\b.html': text('x') }],
        [{ '\xff.html': text('x') }],
        [{ deep: deepFolder(520) }],
        [{ 'a.css': text('merge') }, [site.head, first]],
        [{ 'a.css': text('forced') }, [first]],
        [{ 'a.css': text('unrelated') }, []],
      ]
      for (const [changes, parents] of cases)
        assert.equal(isPlain(site, [changes], parents), false, JSON.stringify(changes))
    })
  })

  it('is accepted by git and the hook too, for random pushes', async () => {
    await withSite(
      FILES,
      async (gitdir, first) => {
        const site = new Site(gitdir, first)
        await fc.assert(
          fc.asyncProperty(randomPushes, async (plan) => {
            const { objects, after } = buildPush(site, plan)
            const judged = await site.judge(objects, after)
            assert.ok(!judged.isPlain || judged.refusal === undefined, judged.refusal)
          }),
          { numRuns: RUNS },
        )
      },
      hooksOfSite(SITE_ID),
    )
  })
})
