// Pushes made of any bytes on top of a site: the changes of most pushes, and most of the possible faults.

import * as fc from 'fast-check'
import { type NewObject, newObject } from '../../src/git/objects/object.js'
import { git } from './git.js'

export type Entry = { mode: string; content?: string | Folder; oid?: string }
/** Names are bytes, as latin1. */
export type Folder = Map<string, Entry>

/** A site with the files docs/a.html and a.css. */
export interface PushBase {
  gitdir: string
  /** A commit before `head`. */
  first: string
  head: string
}

const WHO = 'M <m@example.org> 1790000000 +0000'
/** No more than 512 folders may lie in one another. */
const TOO_DEEP = 520
/** Longer than the sites of the tests take, which take 4,000 bytes of a page and 5,000 of a file. */
const LARGE = 'x'.repeat(4500)
const LONG_MESSAGE = 'x'.repeat(300_000)

const folders = fc.constantFrom(
  '',
  '',
  'docs/',
  'docs/deep/',
  'new/',
  '.pages/ab/',
  'collections/',
  'collections/notes/',
)
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
      '_headers',
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
  { weight: 1, arbitrary: fc.constantFrom('large', 'deep', 'missing', 'commit', 'known folder', 'new folder') },
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

/** Some commits, one on the other. */
export const randomPushes = fc.array(fc.record({ edits, shape: shapes }), { minLength: 1, maxLength: 3 })
export type PushPlan = typeof randomPushes extends fc.Arbitrary<infer T> ? T : never

/** All objects that are new, and the commit that main is to be. */
export function buildPush(base: PushBase, plan: PushPlan): { objects: NewObject[]; after: string } {
  const objects: NewObject[] = []
  const root = folderAt(base)
  let after = base.head
  for (const { edits: changes, shape } of plan) {
    for (const { folder, name, target, mode } of changes) put(root, folder + name, entryOf(base, target, mode))
    const more = shape === 'stray parent' ? `parent ${base.first}\n` : ''
    const message = shape === 'long message' ? LONG_MESSAGE : 'Change\n'
    const commit = commitOf(treeOf(root, objects), parentsOf(shape, after, base), more, message)
    objects.push(commit)
    after = commit.oid
  }
  return { objects, after }
}

/** All files of the site. */
export function folderAt({ gitdir, head }: PushBase): Folder {
  const root: Folder = new Map()
  for (const line of git(gitdir, 'ls-tree', '-r', head).split('\n')) {
    const [, mode = '', oid = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/.exec(line) ?? []
    put(root, path, { mode, oid })
  }
  return root
}

/** Sets a file or folder, or removes it; folders are made on the way to it. */
export function put(root: Folder, path: string, entry: Entry | undefined): void {
  const parts = path.split('/')
  const last = parts.pop() ?? ''
  let folder = root
  for (const name of parts) {
    const next = folder.get(name)?.content
    const inner: Folder = next instanceof Map ? next : new Map()
    if (!(next instanceof Map)) folder.set(name, { mode: '40000', content: inner })
    folder = inner
  }
  if (entry === undefined) folder.delete(last)
  else folder.set(last, entry)
}

/** The tree of a folder, written as it is given; it and all that is in it are added to the objects. */
export function treeOf(folder: Folder, objects: NewObject[]): string {
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

export function commitOf(tree: string, parents: readonly string[], more = '', message = 'Change\n'): NewObject {
  const lines = parents.map((parent) => `parent ${parent}\n`).join('')
  return newObject('commit', Buffer.from(`tree ${tree}\n${lines}author ${WHO}\ncommitter ${WHO}\n${more}\n${message}`))
}

export function deepFolder(depth: number): Entry {
  let entry: Entry = { mode: '100644', content: 'deep' }
  for (let at = 0; at < depth; at++) entry = { mode: '40000', content: new Map([['d', entry]]) }
  return entry
}

function parentsOf(shape: string, after: string, { first }: PushBase): string[] {
  if (shape === 'root') return []
  if (shape === 'old base') return [first]
  return shape === 'merge' ? [after, first] : [after]
}

/** Half of the modes fit the objects that they stand for. */
function entryOf({ gitdir, head }: PushBase, target: string, mode: string): Entry | undefined {
  const isFolder = target.endsWith('folder')
  const fitting = isFolder ? '40000' : mode === '40000' ? '100644' : mode
  switch (target) {
    case 'text':
      return { mode: fitting, content: `text of ${mode}` }
    case 'known file':
      return { mode: fitting, oid: git(gitdir, 'rev-parse', `${head}:docs/a.html`) }
    case 'large':
      return { mode: fitting, content: LARGE }
    case 'deep':
      return deepFolder(TOO_DEEP)
    case 'missing':
      return { mode, oid: '1'.repeat(40) }
    case 'commit':
      return { mode, oid: head }
    case 'known folder':
      return { mode, oid: git(gitdir, 'rev-parse', `${head}:docs`) }
    case 'new folder':
      return { mode: fitting, content: new Map([['inner.html', { mode: '100644', content: 'inner' }]]) }
    default:
      return undefined
  }
}
