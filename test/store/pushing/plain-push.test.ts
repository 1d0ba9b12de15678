import assert from 'node:assert/strict'
import { dirname } from 'node:path'
import * as fc from 'fast-check'
import { runGit } from '../../../src/git/command.js'
import { type NewObject, newObject } from '../../../src/git/objects/object.js'
import { DraftObjects } from '../../../src/git/storage/draft-objects.js'
import { ObjectDatabase } from '../../../src/git/storage/object-database.js'
import { encodePack } from '../../../src/git/storage/pack-writer.js'
import { judgePush, PushRefused } from '../../../src/store/hooks/judge-push.js'
import { writePushLimits } from '../../../src/store/hooks/push-limits.js'
import { isPlainPush } from '../../../src/store/pushing/plain-push.js'
import { dropQuarantine, type Quarantine, receivePack } from '../../../src/store/pushing/quarantine.js'
import { git } from '../../support/git.js'
import { LOG, MAIN, storeCommit, withSite } from '../../git/scratch-repository.js'
import { moveRef } from '../../../src/git/repository/ref.js'

const RUNS = 20
const SIZES = { maxHtmlBytes: 4000, maxFileBytes: 5000 }
const WHO = 'M <m@example.org> 1790000000 +0000'
const FILES = {
  'index.html': 'hello',
  'docs/a.html': 'a',
  'docs/deep/b.html': 'b',
  '.pages/ab/x.json': '{}',
  'a.css': 'c',
}

type Folder = Map<string, Entry>
type Entry = { mode: string; content?: string | Folder; oid?: string }

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

  /** What git, the hook and the shortcut say of a push of these objects. */
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
      isPlain = isPlainPush(new DraftObjects(repository, [], packs), this.head, after, SIZES)
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

/** The tree of a folder and all that is in it, written as it is given. */
function treeOf(folder: Folder, objects: NewObject[]): string {
  const entries = Array.from(folder, ([name, { mode, content = '', oid }]) => {
    const key = mode === '40000' ? `${name}/` : name
    if (oid !== undefined) return { key, mode, name, oid }
    const made = content instanceof Map ? undefined : newObject('blob', Buffer.from(content))
    if (made !== undefined) objects.push(made)
    return { key, mode, name, oid: made?.oid ?? treeOf(content as Folder, objects) }
  })
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.key, 'latin1'), Buffer.from(b.key, 'latin1')))
  const bytes = sorted.map(({ mode, name, oid }) => [
    Buffer.from(`${mode} ${name}\0`, 'latin1'),
    Buffer.from(oid, 'hex'),
  ])
  const tree = newObject('tree', Buffer.concat(bytes.flat()))
  objects.push(tree)
  return tree.oid
}

function siteFolder(): Folder {
  const root: Folder = new Map()
  for (const [path, content] of Object.entries({ ...FILES, 'later.html': 'later' }))
    put(root, path, { mode: '100644', content })
  return root
}

function put(root: Folder, path: string, entry: Entry | undefined): void {
  const names = path.split('/')
  const last = names.pop() ?? ''
  let folder = root
  for (const name of names) {
    const next = folder.get(name)?.content
    const inner: Folder = next instanceof Map ? next : new Map()
    if (!(next instanceof Map)) folder.set(name, { mode: '40000', content: inner })
    folder = inner
  }
  if (entry === undefined) folder.delete(last)
  else folder.set(last, entry)
}

function commitOf(tree: string, parents: readonly string[], more = '', message = 'Change\n'): NewObject {
  const lines = parents.map((parent) => `parent ${parent}\n`).join('')
  return newObject('commit', Buffer.from(`tree ${tree}\n${lines}author ${WHO}\ncommitter ${WHO}\n${more}\n${message}`))
}

/** Most of what a push may do wrong, and what most pushes do. */
const folders = fc.constantFrom('', '', 'docs/', 'docs/deep/', 'new/', '.pages/ab/', 'collections/')
const names = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a.html', 'b.html', 'index.html', 'x.json', '\xc3\xa4.html', 'a b"c.html', 'docs'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '.git',
      'git~1',
      'a\\b',
      '\xff.html',
      '\xc2\x85',
      'a\nb',
      '.site.json',
      '_redirects',
      'x'.repeat(256),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ minLength: 1, maxLength: 8 })
      .map((bytes) => Buffer.from(bytes).toString('latin1').replace(/[\0/]/g, '_')),
  },
)
const targets = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('text', 'known file', 'nothing') },
  { weight: 1, arbitrary: fc.constantFrom('large', 'missing', 'commit', 'known folder', 'new folder') },
)
const modes = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('100644', '100755', '40000') },
  { weight: 1, arbitrary: fc.constantFrom('120000', '160000', '100664', '040000') },
)
const edits = fc.array(fc.record({ folder: folders, name: names, target: targets, mode: modes }), {
  minLength: 1,
  maxLength: 3,
})
const shapes = fc.oneof(
  { weight: 6, arbitrary: fc.constant('line') },
  { weight: 1, arbitrary: fc.constantFrom('merge', 'root', 'old base', 'stray parent', 'long message') },
)
const pushes = fc.array(fc.record({ edits, shape: shapes }), { minLength: 1, maxLength: 3 })
type PushPlan = typeof pushes extends fc.Arbitrary<infer T> ? T : never

function build(site: Site, plan: PushPlan): { objects: NewObject[]; after: string } {
  const objects: NewObject[] = []
  const root = siteFolder()
  let after = site.head
  for (const { edits: changes, shape } of plan) {
    for (const { folder, name, target, mode } of changes) put(root, folder + name, entryOf(site, target, mode))
    const parents = parentsOf(shape, after, site)
    const more = shape === 'stray parent' ? `parent ${site.first}\n` : ''
    const commit = commitOf(
      treeOf(root, objects),
      parents,
      more,
      shape === 'long message' ? 'x'.repeat(300_000) : 'Change\n',
    )
    objects.push(commit)
    after = commit.oid
  }
  return { objects, after }
}

function parentsOf(shape: string, after: string, { first }: Site): string[] {
  if (shape === 'root') return []
  if (shape === 'old base') return [first]
  return shape === 'merge' ? [after, first] : [after]
}

/** Half of the modes are those of what they stand for. */
function entryOf(site: Site, target: string, mode: string): Entry | undefined {
  const isFolder = target.endsWith('folder')
  const fitting = isFolder ? '40000' : mode === '40000' ? '100644' : mode
  switch (target) {
    case 'text':
      return { mode: fitting, content: `text of ${mode}` }
    case 'known file':
      return { mode: fitting, oid: site.oid('docs/a.html') }
    case 'large':
      return { mode: fitting, content: 'x'.repeat(4500) }
    case 'missing':
      return { mode, oid: '1'.repeat(40) }
    case 'commit':
      return { mode, oid: site.head }
    case 'known folder':
      return { mode, oid: site.oid('docs') }
    case 'new folder':
      return { mode: fitting, content: new Map([['inner.html', { mode: '100644', content: 'inner' }]]) }
    default:
      return undefined
  }
}

/** Changes of the site's files, a commit each; `undefined` removes a file. */
type Changes = Record<string, Entry | undefined>
const text = (content: string): Entry => ({ mode: '100644', content })
const folderOf = (content: Record<string, Entry>): Entry => ({
  mode: '40000',
  content: new Map(Object.entries(content)),
})

describe('a push that plainly breaks no rule', function () {
  this.timeout(60_000)

  function isPlain(site: Site, commits: readonly Changes[], parents?: string[]): boolean {
    const objects: NewObject[] = []
    const root = siteFolder()
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

  it('is what most pushes are: files replaced, added, removed and moved, in one commit or in several', () => {
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

  it('is none that the hook has to look at: other kinds of files, rules, merges, and what is missing, too large or too much', () => {
    withSite(FILES, (gitdir, first) => {
      const site = new Site(gitdir, first)
      let deep: Entry = text('deep')
      for (let depth = 0; depth < 520; depth++) deep = folderOf({ d: deep })
      const cases: [Changes, string[]?][] = [
        [{ link: { mode: '120000', content: 'index.html' } }],
        [{ module: { mode: '160000', oid: site.head } }],
        [{ '.site.json': text('{}') }],
        [{ _redirects: text('/a /b') }],
        [{ _headers: text('/*') }],
        [{ 'gone.html': { mode: '100644', oid: '1'.repeat(40) } }],
        [{ gone: { mode: '40000', oid: '1'.repeat(40) } }],
        [{ 'tree.html': { mode: '100644', oid: site.oid('docs') } }],
        [{ blob: { mode: '40000', oid: site.oid('a.css') } }],
        [{ 'large.html': text('x'.repeat(4001)) }],
        [{ 'a\\b.html': text('x') }],
        [{ '\xff.html': text('x') }],
        [{ deep }],
        [{ 'a.css': text('merge') }, [site.head, first]],
        [{ 'a.css': text('forced') }, [first]],
        [{ 'a.css': text('unrelated') }, []],
      ]
      for (const [changes, parents] of cases)
        assert.equal(isPlain(site, [changes], parents), false, JSON.stringify(changes))
    })
  })

  it('is one that git and the hook take too, whatever is pushed', async () => {
    await withSite(FILES, async (gitdir, first) => {
      const site = new Site(gitdir, first)
      await fc.assert(
        fc.asyncProperty(pushes, async (plan) => {
          const { objects, after } = build(site, plan)
          const judged = await site.judge(objects, after)
          assert.ok(!judged.isPlain || judged.refusal === undefined, judged.refusal)
        }),
        { numRuns: RUNS },
      )
    })
  })
})
