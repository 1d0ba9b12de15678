import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import * as fc from 'fast-check'
import { GitFailed, runGit } from '../../../../src/git/command.js'
import { type NewObject, newObject } from '../../../../src/git/objects/object.js'
import { moveRef } from '../../../../src/git/repository/ref.js'
import { encodePack } from '../../../../src/git/storage/pack-writer.js'
import { judgeByHook } from '../../../../src/repository/hooks/judge-by-hook.js'
import { writePushLimits } from '../../../../src/repository/hooks/push-limits.js'
import { hooksOfSite } from '../../../../src/repository/hooks/site-hooks.js'
import { judgePush } from '../../../../src/repository/pushing/judge/judge.js'
import { PushRefused } from '../../../../src/repository/pushing/judge/push-messages.js'
import { dropQuarantine, type Quarantine, receivePack } from '../../../../src/repository/pushing/quarantine.js'
import { LOG, MAIN, storeCommit, withSite } from '../../../git/scratch-repository.js'
import { siteFileOf } from '../../../git/site-file.js'
import { git } from '../../../support/git.js'
import {
  buildPush,
  commitOf,
  deepFolder,
  type Entry,
  folderAt,
  put,
  randomPushes,
  treeOf,
} from '../../../support/random-push.js'

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
const LACKS = /the push lacks objects that its commits name/
const SIZE = /has \d+ bytes: at most \d+ are accepted/
const LINEAR = /this history is linear: git pull --rebase/
const SITE_FILE = /\.site\.json holds the site's id and must stay/

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

  /** Returns the judge's warnings of a push to the ref. Rejects with its refusal. */
  async judge(quarantine: string, after: string, ref = MAIN): Promise<string[]> {
    const before = ref === MAIN ? this.head : null
    const changes = [{ ref, before, after }]
    return await judgePush({ gitdir: this.gitdir, quarantine, changes, siteId: SITE_ID, sizes: SIZES })
  }

  /** Makes a quarantine of any objects, as git keeps those of a small push: loose. */
  quarantine(objects: readonly NewObject[]): string {
    const folder = mkdtempSync(join(dirname(this.gitdir), 'quarantine-'))
    for (const { oid, type, content } of objects) {
      const path = join(folder, oid.slice(0, 2), oid.slice(2))
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, deflateSync(Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])))
    }
    return folder
  }
}

/** Changes of the site's files, a commit each; `undefined` removes a file. */
type Changes = Record<string, Entry | undefined>
const text = (content: string): Entry => ({ mode: '100644', content })

function commitsOf(
  site: Site,
  commits: readonly Changes[],
  parents?: string[],
): { objects: NewObject[]; after: string } {
  const objects: NewObject[] = []
  const root = folderAt(site)
  let after = site.head
  for (const changes of commits) {
    for (const [path, entry] of Object.entries(changes)) put(root, path, entry)
    const commit = commitOf(treeOf(root, objects), parents ?? [after])
    objects.push(commit)
    after = commit.oid
  }
  return { objects, after }
}

/** A tree of so many levels, each of so many equal folders. */
function nest(objects: NewObject[], levels: number, width: number): string {
  let tree = newObject('tree', Buffer.alloc(0))
  objects.push(tree)
  for (let level = 0; level < levels; level++) {
    const oid = Buffer.from(tree.oid, 'hex')
    const entries = Array.from({ length: width }, (_, n) => [Buffer.from(`40000 ${n}\0`), oid])
    tree = newObject('tree', Buffer.concat(entries.flat()))
    objects.push(tree)
  }
  return tree.oid
}

describe('the judge of pushes', () => {
  const onSite = (work: (site: Site) => Promise<void>) =>
    withSite(FILES, (gitdir, first) => work(new Site(gitdir, first)), hooksOfSite(SITE_ID))

  it('accepts commits that replace, add, remove and move files, and starts no program for some in a row', async () => {
    await onSite(async (site) => {
      const known = { mode: '100644', oid: site.oid('a.css') }
      const pushes = [
        [{ 'index.html': text('new') }],
        [{ 'new/folder/\xc3\xa4.html': text('new'), 'run.sh': { mode: '100755', content: 'x' } }],
        [{ 'a.css': undefined, 'docs/moved.css': known }],
        [{ elsewhere: { mode: '40000', oid: site.oid('docs') } }],
        [{ 'a.css': text('1') }, { 'a.css': text('2') }, { 'a.css': text('c') }],
        [{ '.pages/ab/y.json': text('{}'), 'y.html': text('y') }],
        [{ _redirects: text('/a /b'), _headers: text('/*\n  X-A: b\n') }],
        [{ '.site.json': undefined }, { '.site.json': text(siteFileOf(SITE_ID)) }],
      ].map((commits) => commitsOf(site, commits))
      const { PATH } = process.env
      process.env['PATH'] = '/nowhere'
      try {
        for (const { objects, after } of pushes) assert.deepEqual(await site.judge(site.quarantine(objects), after), [])
      } finally {
        process.env['PATH'] = PATH
      }
    })
  })

  it('names links that lead to nothing, submodules and pointers of Git LFS, and accepts them', async () => {
    await onSite(async (site) => {
      const module = { mode: '160000', oid: '1'.repeat(40) }
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'1'.repeat(64)}\nsize 1\n`
      const { objects, after } = commitsOf(site, [
        { link: { mode: '120000', content: pointer }, module, _redirects: module, 'deep/a.png': text(pointer) },
        { _headers: { mode: '120000', content: 'deep/a.png' }, 'deep/out': { mode: '120000', content: '../../x' } },
        { alias: { mode: '120000', content: 'deep' }, 'deep/alias': { mode: '120000', content: '../alias/a.png' } },
      ])
      const named = await site.judge(site.quarantine(objects), after)
      const found = named.map((line) => line.split(/^palimpsest: warning: (\S+): (\w+ \w+)/).slice(1, 3))
      assert.deepEqual(Object.fromEntries(found), {
        _redirects: 'A submodule',
        'deep/a.png': 'It is',
        'deep/out': 'This symbolic',
        link: 'This symbolic',
        _headers: 'A symbolic',
        module: 'A submodule',
      })
    })
  })

  it('tells of a missing start page, also where main is new', async () => {
    await onSite(async (site) => {
      const changes: Changes = { 'index.html': undefined, 'docs/Index.html': text('x'), 'new.txt': text('x') }
      const next = commitsOf(site, [changes])
      const told = await site.judge(site.quarantine(next.objects), next.after)
      assert.deepEqual(told, [
        'palimpsest: warning: docs/Index.html is no start page: name it index.html',
        'palimpsest: warning: the site has no start page, so / is 404: add index.html',
      ])
      const { gitdir, head } = site
      const first = { gitdir, quarantine: undefined, siteId: undefined, sizes: SIZES }
      const begin = (after: string) => judgePush({ ...first, changes: [{ ref: MAIN, before: null, after }] })
      assert.deepEqual(await begin(head), [])
      const empty = storeCommit(gitdir, { 'style.css': 'x', 'Default.htm': 'x' }, [])
      assert.deepEqual(await begin(empty.oid), [
        'palimpsest: warning: Default.htm is no start page: name it index.html',
      ])
      empty.pack.release()
      const bare = storeCommit(gitdir, { 'style.css': 'x' }, [])
      assert.match((await begin(bare.oid)).join(), /the site has no start page/)
      bare.pack.release()
    })
  })

  it('refuses what a site cannot hold, with the reason', async () => {
    await onSite(async (site) => {
      const cases: [RegExp, Changes, string[]?][] = [
        [SITE_FILE, { '.site.json': text('{}') }],
        [SITE_FILE, { '.site.json': { mode: '40000', oid: site.oid('docs') } }],
        [SITE_FILE, { '.site.json': { mode: '120000', content: siteFileOf(SITE_ID) } }],
        [SITE_FILE, { '.site.json': undefined }],
        [LACKS, { 'gone.html': { mode: '100644', oid: '1'.repeat(40) } }],
        [LACKS, { gone: { mode: '40000', oid: '1'.repeat(40) } }],
        [LACKS, { 'a.css': text('new') }, ['1'.repeat(40)]],
        [/tree cannot be read/, { 'tree.html': { mode: '100644', oid: site.oid('docs') } }],
        [/tree cannot be read/, { blob: { mode: '40000', oid: site.oid('a.css') } }],
        [/^palimpsest: refused: docs\/large\.html has 5001 bytes/, { 'docs/large.html': text('x'.repeat(5001)) }],
        [SIZE, { 'large.css': text('x'.repeat(5001)) }],
        [/a\?b\.css has 5001 bytes/, { 'a\nb.css': text('x'.repeat(5001)) }],
        [
          /a file name holds a backslash or a control character: "docs\/a\\\\b\.html"\. Rename it/,
          { 'docs/a\\b.html': text('x') },
        ],
        [/a file name holds .*: "a\\033\[1mb\.css"\. Rename it/, { 'a\u001b[1mb.css': text('x') }],
        [/a file name is not UTF-8.*: "\\377\.html"\. Rename it/, { '\xff.html': text('x') }],
        [/a file name is longer than 255 bytes: "x{80}…"\. Shorten it/, { [`${'x'.repeat(256)}.css`]: text('x') }],
        [/a file lies 521 folders deep: at most 512/, { deep: deepFolder(520) }],
        [/a file lies 1501 folders deep: at most 512/, { deep: deepFolder(1500) }],
        [LINEAR, { 'a.css': text('forced') }, [site.first]],
        [LINEAR, { 'a.css': text('merge') }, [site.first, site.head]],
        [/this history begins with another commit.*palimpsest sites import/s, { 'a.css': text('unrelated') }, []],
        [/palimpsest publish <folder> --delete --site site$/, { 'a.css': text('unrelated') }, []],
        [/palimpsest publish <folder> --delete --site site$/, { 'a.css': text('forced') }, [site.first]],
      ]
      for (const [reason, changes, parents] of cases) {
        const { objects, after } = commitsOf(site, [changes], parents)
        await assert.rejects(
          site.judge(site.quarantine(objects), after),
          (error: unknown) => error instanceof PushRefused && reason.test(error.message),
          JSON.stringify(changes).slice(0, 200),
        )
      }
    })
  })

  it('looks for too large and missing files in every commit, on every ref, and in what a tag names', async () => {
    await onSite(async (site) => {
      const large = commitsOf(site, [{ 'a.css': text('x'.repeat(5001)) }, { 'a.css': text('small') }])
      const missing = commitsOf(site, [
        { 'a.css': { mode: '100644', oid: '1'.repeat(40) } },
        { 'a.css': text('there') },
      ])
      const blob = newObject('blob', Buffer.alloc(5001))
      const tag = newObject('tag', Buffer.from(`object ${blob.oid}\ntype blob\ntag v1\n\nLarge\n`))
      const pushes: [RegExp, NewObject[], string][] = [
        [SIZE, large.objects, large.after],
        [LACKS, missing.objects, missing.after],
      ]
      for (const [reason, objects, after] of pushes)
        for (const ref of [MAIN, 'refs/heads/topic'])
          await assert.rejects(site.judge(site.quarantine(objects), after, ref), reason)
      for (const object of [blob, tag])
        await assert.rejects(site.judge(site.quarantine([blob, tag]), object.oid, 'refs/tags/v1'), SIZE)
    })
  })

  it('judges a file by each place that it has', async () => {
    await onSite(async (site) => {
      for (const [place, isAccepted] of [
        ['z.css', false],
        ['z.html', false],
        ['.pages/z.json', true],
        ['collections/x/z.json', true],
      ] as const) {
        const { objects, after } = commitsOf(site, [
          { '.pages/a.json': text('y'.repeat(5001)), [place]: text('y'.repeat(5001)) },
        ])
        const judged = site.judge(site.quarantine(objects), after)
        await (isAccepted ? judged : assert.rejects(judged, /z\.(?:css|html) has 5001 bytes: at most 5000/))
      }
    })
  })

  it('reads a folder that is named again and again only once', async () => {
    await onSite(async (site) => {
      const objects: NewObject[] = []
      const commit = commitOf(nest(objects, 12, 10), [site.head])
      const quarantine = site.quarantine([...objects, commit])
      assert.deepEqual(await site.judge(quarantine, commit.oid, 'refs/heads/topic'), [])
      await assert.rejects(site.judge(quarantine, commit.oid), /more than 500,000 files and folders/)
    })
  })

  it('reads a chain of folders of any length', async () => {
    await onSite(async (site) => {
      const objects: NewObject[] = []
      const commit = commitOf(nest(objects, 2000, 1), [site.head])
      const quarantine = site.quarantine([...objects, commit])
      assert.deepEqual(await site.judge(quarantine, commit.oid, 'refs/heads/topic'), [])
      await assert.rejects(site.judge(quarantine, commit.oid), /more than 1000 folders deep/)
    })
  })

  /** Has git check the objects first, as each push is. Returns the refusals of the judge, of its hook, and of git's own walk. */
  async function refusals(site: Site, objects: readonly NewObject[], after: string) {
    const told = (judged: Promise<unknown>) =>
      judged.then(
        () => undefined,
        (error: unknown) => {
          if (error instanceof PushRefused || error instanceof GitFailed) return error.message
          throw error
        },
      )
    let quarantine: Quarantine | undefined
    const received = receivePack(
      site.gitdir,
      (async function* () {
        yield encodePack(objects).pack
      })(),
      { maxBytes: 1e6, maxFileBytes: 1e6, checkSpace: () => undefined, signal: AbortSignal.timeout(60_000) },
    ).then((made) => (quarantine = made))
    if ((await told(received)) !== undefined || quarantine === undefined) return undefined
    const newObjects = quarantine.folder
    const walk = ['rev-list', '--objects', after, '--not', '--all', '--quiet']
    const found = {
      judge: await told(site.judge(newObjects, after)),
      hook: await told(judgeByHook(site.gitdir, [{ ref: MAIN, before: site.head, after }], { newObjects })),
      walk: await told(runGit(site.gitdir, walk, { newObjects })),
    }
    await dropQuarantine(quarantine)
    return found
  }

  it('finds missing objects as git does, and says the same in its hook, for random pushes', async () => {
    await onSite(async (site) => {
      await fc.assert(
        fc.asyncProperty(randomPushes, async (plan) => {
          const { objects, after } = buildPush(site, plan)
          const found = await refusals(site, objects, after)
          if (found === undefined) return
          assert.equal(found.judge, found.hook)
          if (found.walk !== undefined) assert.ok(found.judge !== undefined, found.walk)
          else assert.doesNotMatch(found.judge ?? '', LACKS)
        }),
        { numRuns: RUNS },
      )
    })
  })
})
