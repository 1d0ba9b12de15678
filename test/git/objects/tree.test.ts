import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { ObjectCorrupt } from '../../../src/git/objects/errors.js'
import { hashObject } from '../../../src/git/objects/object.js'
import {
  EMPTY_TREE,
  findEntry,
  MODE_BLOB,
  MODE_EXECUTABLE,
  MODE_GITLINK,
  MODE_SYMLINK,
  MODE_TREE,
  eachEntry,
  parseTree,
  patchTree,
  type TreeEdit,
  type TreeEntry,
} from '../../../src/git/objects/tree.js'
import { gitOid, gitWithInput, withBareGit } from '../scratch-repository.js'
import { anyText } from '../../texts/any-text.js'

const oidOf = (text: string) => createHash('sha1').update(text).digest('hex')
const blob = (name: string): TreeEntry => ({ mode: MODE_BLOB, name, oid: oidOf(name) })
const folder = (name: string): TreeEntry => ({ mode: MODE_TREE, name, oid: oidOf(name) })
const treeOf = (...entries: TreeEntry[]) => patchTree(Buffer.alloc(0), entries)

/** An entry of any name and mode, good or bad. */
function rawEntry(mode: string, name: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${mode} `), Buffer.from(name as string), Buffer.alloc(1), Buffer.alloc(20, 7)])
}

const mktreeLine = ({ mode, name, oid }: TreeEntry) => {
  const type = mode === MODE_TREE ? 'tree' : mode === MODE_GITLINK ? 'commit' : 'blob'
  return `${mode.toString(8).padStart(6, '0')} ${type} ${oid}\t${name}\0`
}

/** Names that sort differently as file and as folder, among others. */
const names = fc.oneof(
  fc.constantFrom(
    'a',
    'a.html',
    'a-b',
    'a0',
    'a',
    'ab',
    'docs',
    'docs.html',
    'docs-old',
    'docs0',
    'é',
    '日本',
    '.pages',
  ),
  anyText({ minLength: 1, maxLength: 8 }).filter(
    (name) => !/[\p{Cc}\p{Cs}/\\]/u.test(name) && !/^\.+$|git/i.test(name),
  ),
)
const modes = fc.constantFrom(MODE_BLOB, MODE_EXECUTABLE, MODE_TREE, MODE_SYMLINK, MODE_GITLINK)
const edits: fc.Arbitrary<TreeEdit[]> = fc.uniqueArray(
  fc.record({ name: names, mode: modes, remove: fc.boolean(), seed: fc.nat(9) }).map(({ name, mode, remove, seed }) => {
    return remove ? { name, remove: true as const } : { name, mode, oid: oidOf(`${seed}`) }
  }),
  { selector: ({ name }) => name, maxLength: 12 },
)

describe('a tree', () => {
  it('has the oid that git gives it when it is empty', () => {
    withBareGit((gitdir) => assert.equal(EMPTY_TREE, gitOid(gitdir, '', 'mktree')))
    assert.deepEqual(parseTree(Buffer.alloc(0)), { entries: [], skipped: [] })
  })

  it('equals the tree of git mktree after any edits', () => {
    withBareGit((gitdir) => {
      const rounds: { bytes: Buffer; expected: string }[] = []
      fc.assert(
        fc.property(fc.array(edits, { maxLength: 4 }), (steps) => {
          let bytes: Buffer = Buffer.alloc(0)
          const model = new Map<string, TreeEntry>()
          for (const step of steps) {
            bytes = patchTree(bytes, step)
            for (const edit of step) {
              if ('remove' in edit) model.delete(edit.name)
              else model.set(edit.name, edit)
            }
          }
          for (const [name, entry] of model) assert.deepEqual(findEntry(bytes, name), entry)
          assert.deepEqual(
            parseTree(bytes)
              .entries.map(({ name }) => name)
              .toSorted(),
            [...model.keys()].toSorted(),
          )
          rounds.push({ bytes, expected: [...model.values()].map(mktreeLine).join('') })
        }),
        { numRuns: 60 },
      )
      // One process for all: `--batch` reads trees apart by an empty entry.
      const oids = gitWithInput(
        gitdir,
        rounds.map(({ expected }) => `${expected}\0`).join(''),
        'mktree',
        '-z',
        '--missing',
        '--batch',
      )
      assert.deepEqual(
        rounds.map(({ bytes }) => hashObject('tree', bytes)),
        oids.toString('latin1').trim().split('\n'),
      )
    })
  })

  it('keeps every entry that is not edited byte for byte, also one that git would not write', () => {
    const odd = Buffer.concat([rawEntry('100664', 'group'), rawEntry('100644', 'z\\z'), rawEntry('040000', 'zz')])
    const patched = patchTree(odd, [blob('h')])
    assert.deepEqual(patched, Buffer.concat([odd.subarray(0, 33), rawTree(blob('h')), odd.subarray(33)]))
    assert.deepEqual(patchTree(patched, [{ name: 'h', remove: true }]), odd)
  })

  it('is searched and patched alike with few entries and with thousands', () => {
    // Files and folders whose names begin alike stand apart from each other, beyond any one part of the tree.
    const entryOf = (i: number) =>
      (i % 7 === 0 ? folder : blob)(`${i % 2 === 0 ? 'n' : 'né'}${i % 50}${'-/.0x'[i % 5]?.replace('/', '')}${i}`)
    const wide = Array.from({ length: 400 }, (_, i) => blob(`same-${i}`))
    const entries = [...Array.from({ length: 3_000 }, (_, i) => entryOf(i)), folder('same'), ...wide]
    const ordered = treeOf(...entries)
    withBareGit((gitdir) => {
      const oid = gitOid(gitdir, entries.map(mktreeLine).join(''), 'mktree', '-z', '--missing')
      assert.equal(hashObject('tree', ordered), oid)
    })
    for (const entry of entries) assert.deepEqual(findEntry(ordered, entry.name), entry)
    for (const { name } of entries.slice(0, 200)) assert.equal(findEntry(ordered, `${name}!`), undefined)
    const edited = entries.filter((_, i) => i % 11 === 0)
    const turned = edited.map((entry) => (entry.mode === MODE_TREE ? blob : folder)(entry.name))
    const removed = patchTree(
      ordered,
      edited.map(({ name }) => ({ name, remove: true })),
    )
    assert.deepEqual(removed, treeOf(...entries.filter((entry) => !edited.includes(entry))))
    assert.deepEqual(patchTree(ordered, turned), patchTree(removed, turned))
    assert.deepEqual(patchTree(patchTree(ordered, turned), edited), ordered)
  })

  it('is searched to its end if thousands of entries are out of order', () => {
    const entries = Array.from({ length: 3_000 }, (_, i) => blob(`page-${9_999 - i}.html`))
    const bytes = Buffer.concat(entries.map((entry) => treeOf(entry)))
    for (const entry of entries) assert.deepEqual(findEntry(bytes, entry.name), entry)
  })

  it('does not change when a name that it lacks is removed', () => {
    const bytes = treeOf(blob('a'), blob('c'))
    assert.deepEqual(patchTree(bytes, [{ name: 'b', remove: true }]), bytes)
    assert.deepEqual(patchTree(bytes, []), bytes)
  })

  it('holds one entry of a name, when a file becomes a folder and back', () => {
    const files = treeOf(blob('docs'), blob('docs.html'))
    const folders = patchTree(files, [folder('docs')])
    assert.deepEqual(
      parseTree(folders).entries.map(({ name, mode }) => [name, mode]),
      [
        ['docs.html', MODE_BLOB],
        ['docs', MODE_TREE],
      ],
    )
    assert.deepEqual(patchTree(folders, [blob('docs')]), files)
  })

  it('does not find a name inside an oid', () => {
    const entry = { ...blob('a'), oid: `${Buffer.from(' b\0').toString('hex')}${'00'.repeat(17)}` }
    assert.equal(findEntry(treeOf(entry), 'b'), undefined)
  })

  it('finds neither a part of a name nor a longer one', () => {
    const bytes = treeOf(blob('about.html'))
    for (const name of ['about', 'bout.html', 'about.html2', '', 'a']) assert.equal(findEntry(bytes, name), undefined)
  })
})

function rawTree(...entries: TreeEntry[]): Buffer {
  return Buffer.concat(
    entries.map(({ mode, name, oid }) =>
      Buffer.concat([Buffer.from(`${mode.toString(8)} ${name}\0`), Buffer.from(oid, 'hex')]),
    ),
  )
}

describe('a hostile tree', () => {
  const bad: (string | Buffer)[] = [
    '',
    '.',
    '..',
    '.git',
    '.GIT',
    '.Git',
    'git~1',
    'GIT~1',
    'GIT~2',
    '.git ',
    '.git.',
    '.git. .',
    '.git...:alternate-stream',
    '.git::$INDEX_ALLOCATION',
    '.g\u200cit',
    '\u200e.git',
    '.git\ufeff',
    'a/b',
    'a\\b.html',
    '..\\x',
    'tab\tbed',
    'new\nline',
    'del\u007f',
    'nel\u0085',
    'x'.repeat(256),
    Buffer.from([0x61, 0xff]),
    Buffer.from([0xc0, 0xae]),
    Buffer.from([0xed, 0xa0, 0x80]),
  ]

  for (const name of bad) {
    const shown = JSON.stringify(typeof name === 'string' ? name.slice(0, 40) : name.toString('hex'))
    it(`is read without the entry ${shown}, and with all others`, () => {
      const bytes = Buffer.concat([rawTree(blob('about.html')), rawEntry('100644', name), rawTree(folder('zoo'))])
      const { entries, skipped } = parseTree(bytes)
      assert.deepEqual([...eachEntry(bytes)], entries)
      assert.deepEqual(entries, [blob('about.html'), folder('zoo')])
      assert.equal(skipped.length, 1)
      assert.match(skipped[0]?.reason ?? '', /\w+/)
      if (typeof name === 'string') assert.equal(findEntry(bytes, name), undefined)
      assert.deepEqual(findEntry(bytes, 'zoo'), folder('zoo'))
    })
  }

  it('is read completely if its names only look dangerous', () => {
    const good = [
      '.gitignore',
      '.github',
      'git',
      'git~',
      'a.git',
      '.well-known',
      '...',
      '-rf',
      'x'.repeat(255),
      'é\u0301',
      '\ufffd',
    ]
    assert.deepEqual(
      parseTree(treeOf(...good.map(blob)))
        .entries.map(({ name }) => name)
        .toSorted(),
      good.toSorted(),
    )
  })

  it('is corrupt if it is cut short at any byte', () => {
    const bytes = treeOf(blob('about.html'), folder('zoo'))
    const whole = new Set([0, rawTree(blob('about.html')).length])
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.subarray(0, length)
      if (whole.has(length)) assert.doesNotThrow(() => parseTree(cut))
      else
        for (const read of [parseTree, (tree: Buffer) => [...eachEntry(tree)]])
          assert.throws(() => read(cut), ObjectCorrupt)
    }
  })

  it('is either read or corrupt, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          for (const { name } of parseTree(Buffer.from(bytes)).entries) assert.doesNotMatch(name, /^\.{0,2}$|[/\\]/)
        } catch (error) {
          assert.ok(error instanceof ObjectCorrupt)
        }
      }),
    )
  })
})

describe('a tree of 100,000 entries', () => {
  const files = Array.from({ length: 100_000 }, (_, i) => blob(`page-${i.toString().padStart(6, '0')}.html`))
  const big = () => patchTree(Buffer.alloc(0), files)

  it('can be built by one patch, and almost emptied by another', () => {
    const one = patchTree(
      big(),
      files.slice(1).map(({ name }) => ({ name, remove: true as const })),
    )
    assert.deepEqual(one, rawTree(files[0] ?? blob('')))
  })

  it('is searched and patched', () => {
    const bytes = big()
    const edit = [
      blob('page-050000.html'),
      blob('page-050000a.html'),
      { name: 'page-099999.html', remove: true as const },
    ]
    const patched = patchTree(bytes, edit)
    assert.deepEqual(findEntry(patched, 'page-050000a.html'), blob('page-050000a.html'))
    assert.equal(findEntry(patched, 'page-099999.html'), undefined)
  })
})
