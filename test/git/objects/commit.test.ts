import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { readCommit } from 'isomorphic-git'
import fs from 'node:fs'
import {
  cleanIdentityName,
  encodeCommit,
  formatMessage,
  parseCommit,
  parseMessage,
} from '../../../src/git/objects/commit.js'
import { ObjectCorrupt } from '../../../src/git/objects/errors.js'
import { hashObject } from '../../../src/git/objects/object.js'
import { EMPTY_TREE } from '../../../src/git/objects/tree.js'
import { assertSound, git } from '../../support/git.js'
import { gitOid, gitWithInput, IDENTITY, withBareGit } from '../scratch-repository.js'
import { anyText } from '../../texts/any-text.js'

const OLGA = { name: 'Olga Operator', email: 'olga@example.org', time: 1_700_000_000, offset: '+0100' }

/** Records with the prototype that parsing gives. */
const PLAIN = { noNullPrototype: true }

function commitOf(message: string, name = 'Tester') {
  const author = { ...IDENTITY, name }
  return encodeCommit({ tree: EMPTY_TREE, parents: [], author, committer: IDENTITY, message })
}

describe('a commit', () => {
  it('has the oid that git commit-tree gives it', () => {
    withBareGit((gitdir) => {
      gitOid(gitdir, '', 'mktree')
      const first = gitOid(gitdir, 'First\n', 'commit-tree', EMPTY_TREE)
      const second = gitOid(gitdir, 'Zweite Änderung\n\nText.\n', 'commit-tree', EMPTY_TREE, '-p', first)
      const encode = (parents: string[], message: string) =>
        hashObject('commit', encodeCommit({ tree: EMPTY_TREE, parents, author: OLGA, committer: OLGA, message }))
      assert.equal(encode([], 'First\n'), first)
      assert.equal(encode([first], 'Zweite Änderung\n\nText.\n'), second)
    })
  })

  it('is read as isomorphic-git reads it', async () => {
    await withBareGit(async (gitdir) => {
      gitOid(gitdir, '', 'mktree')
      const first = gitOid(gitdir, 'First\n', 'commit-tree', EMPTY_TREE)
      const oid = gitOid(gitdir, 'Merge\n\nBody\n', 'commit-tree', EMPTY_TREE, '-p', first, '-p', first)
      const { commit } = await readCommit({ fs, gitdir, oid })
      const ours = parseCommit(gitWithInput(gitdir, '', 'cat-file', 'commit', oid))
      assert.equal(ours.tree, commit.tree)
      assert.deepEqual(ours.parents, commit.parent)
      assert.equal(ours.message, commit.message)
      assert.deepEqual(ours.author, OLGA)
      assert.equal(ours.committer.time, commit.committer.timestamp)
    })
  })

  it('is the same after encoding and parsing', () => {
    const identity = fc.record(
      {
        name: fc.string({ unit: 'grapheme' }).map(cleanIdentityName),
        email: fc.constant('a@example.org'),
        time: fc.nat(),
        offset: fc.constantFrom('+0000', '-0330', '+1400'),
      },
      PLAIN,
    )
    const oids = fc
      .array(fc.constantFrom('0', 'a', '7'), { minLength: 40, maxLength: 40 })
      .map((digits) => digits.join(''))
    fc.assert(
      fc.property(
        fc.record(
          {
            tree: oids,
            parents: fc.array(oids, { maxLength: 3 }),
            author: identity,
            committer: identity,
            message: fc.string({ unit: 'grapheme' }),
          },
          PLAIN,
        ),
        (commit) => assert.deepEqual(parseCommit(encodeCommit(commit)), commit),
      ),
    )
  })

  it('is read with a signature, a merged tag and unknown headers', () => {
    const bytes = Buffer.from(
      `tree ${EMPTY_TREE}\nparent ${'1'.repeat(40)}\nauthor A <a@x> 1 +0000\ncommitter C <c@x> 2 -0130\n` +
        'gpgsig -----BEGIN PGP SIGNATURE-----\n \n tree 0000000000000000000000000000000000000000\n parent x\n -----END\n' +
        `mergetag object ${'2'.repeat(40)}\n type commit\n tagger T <t@x> 3 +0000\n \n a tag\nHG:extra x\n\nSubject\n`,
    )
    const commit = parseCommit(bytes)
    assert.equal(commit.tree, EMPTY_TREE)
    assert.deepEqual(commit.parents, ['1'.repeat(40)])
    assert.deepEqual(commit.committer, { name: 'C', email: 'c@x', time: 2, offset: '-0130' })
    assert.equal(commit.message, 'Subject\n')
  })

  it('has the same parents as in git, for parent lines at any place', () => {
    withBareGit((gitdir) => {
      gitOid(gitdir, '', 'mktree')
      const first = gitOid(gitdir, 'First\n', 'commit-tree', EMPTY_TREE)
      const parent = `parent ${first}`
      const [author, committer] = ['author A <a@x> 1 +0000', 'committer C <c@x> 2 +0000']
      for (const lines of [
        [parent, author, committer],
        [author, committer, parent],
        [parent, author, committer, parent],
        [author, parent, committer],
        ['note x', parent, author, committer],
      ]) {
        const text = [`tree ${EMPTY_TREE}`, ...lines, '', 'Second\n'].join('\n')
        const oid = gitOid(gitdir, text, 'hash-object', '-t', 'commit', '-w', '--literally', '--stdin')
        const [, ...parents] = git(gitdir, 'rev-list', '--max-count=1', '--parents', oid).split(' ')
        assert.deepEqual(parseCommit(Buffer.from(text)).parents, parents, text)
      }
    })
  })

  it('is read in each encoding that browsers know, and as UTF-8 in others', () => {
    const commitIn = (encoding: string, words: string) =>
      parseCommit(
        Buffer.concat([
          Buffer.from(`tree ${EMPTY_TREE}\nauthor `),
          Buffer.from(words, 'hex'),
          Buffer.from(` <j@x> 1 +0000\ncommitter J <j@x> 1 +0000\nencoding ${encoding}\n\n`),
          Buffer.from(words, 'hex'),
        ]),
      )
    for (const [encoding, hex, text] of [
      ['EUC-JP', 'c6fccbdc', '日本'],
      ['windows-1251', 'cce8f0', 'Мир'],
      ['Shift_JIS', '93fa967b', '日本'],
      ['ISO-2022-JP', '1b2442467c4b5c1b2842', '日本'],
      ['GBK', 'd6d0', '中'],
      ['latin-1', 'e9', 'é'],
      ['no such one', 'c3a9', 'é'],
      ['utf-16le', 'c3a9', 'é'],
      ['hz-gb-2312', 'c3a9', 'é'],
    ] as const) {
      const { author, message } = commitIn(encoding, hex)
      assert.deepEqual([author.name, author.time, message], [text, 1, text], encoding)
    }
  })

  it('has its time also without a space before it, as old tools wrote it', () => {
    const head = `tree ${EMPTY_TREE}\nauthor J <j@x>12 +051800\ncommitter J <j@x>12 +0000\n\nx\n`
    assert.deepEqual(parseCommit(Buffer.from(head)).author, { name: 'J', email: 'j@x', time: 12, offset: '+051800' })
  })

  it('is read in the encoding that its header names', () => {
    const head = `tree ${EMPTY_TREE}\nauthor J\xf6rg <j@x> 1 +0000\ncommitter J\xf6rg <j@x> 1 +0000\nencoding ISO-8859-1\n\nGr\xfc\xdfe\n`
    const commit = parseCommit(Buffer.from(head, 'latin1'))
    assert.equal(commit.message, 'Grüße\n')
    assert.equal(commit.author.name, 'Jörg')
  })

  for (const [what, line] of [
    ['no time', 'author A <a@x>'],
    ['no address', 'author A'],
    ['a doubled bracket', 'author A <<a@x>> 5 +0000'],
    ['an empty name', 'author <a@x> 5 +0000'],
    ['words for a time', 'author A <a@x> soon'],
    ['no author at all', 'x y'],
  ]) {
    it(`is read with ${what} in its author line`, () => {
      const commit = parseCommit(Buffer.from(`tree ${EMPTY_TREE}\n${line}\ncommitter C <c@x> 9 +0000\n\nm`))
      assert.equal(commit.committer.time, 9)
      assert.ok(Number.isFinite(commit.author.time))
    })
  }

  it('is corrupt without a tree, or with one that is not an oid', () => {
    assert.throws(() => parseCommit(Buffer.from('author A <a@x> 1 +0000\n\nm')), ObjectCorrupt)
    assert.throws(() => parseCommit(Buffer.from('tree ../../etc\nauthor A <a@x> 1 +0000\n\nm')), ObjectCorrupt)
    assert.throws(() => parseCommit(Buffer.alloc(0)), ObjectCorrupt)
  })
})

describe('a commit message', () => {
  it('is what git interpret-trailers understands', () => {
    withBareGit((gitdir) => {
      const message = formatMessage('Publish /about', 'A body.\n\nOf two paragraphs.', [
        ['Page-Id', 'abc'],
        ['Reason', 'because'],
      ])
      assert.equal(message, 'Publish /about\n\nA body.\n\nOf two paragraphs.\n\nPage-Id: abc\nReason: because\n')
      assert.equal(
        gitWithInput(gitdir, message, 'interpret-trailers', '--parse').toString(),
        'Page-Id: abc\nReason: because\n',
      )
      assert.deepEqual(
        { ...parseMessage(message), trailers: { ...parseMessage(message).trailers } },
        {
          subject: 'Publish /about',
          body: 'A body.\n\nOf two paragraphs.',
          trailers: { 'Page-Id': 'abc', Reason: 'because' },
        },
      )
    })
  })

  it('keeps its trailers with any other text of a client', () => {
    withBareGit((gitdir) => {
      const text = fc.oneof(
        anyText(),
        fc.constantFrom(
          '',
          '\0',
          '\n',
          'x\n\nPage-Id: forged',
          'Page-Id: forged',
          'x\r\nPage-Id: forged',
          'x\u2028Page-Id: forged',
          '\ud800',
        ),
      )
      const messages: string[] = []
      fc.assert(
        fc.property(text, fc.option(text, { nil: undefined }), text, (subject, body, reason) => {
          const message = formatMessage(subject, body, [
            ['Page-Id', 'true'],
            ['Reason', reason],
          ])
          const { trailers } = parseMessage(message)
          assert.deepEqual(
            Object.keys(trailers).filter((name) => name !== 'Reason'),
            ['Page-Id'],
          )
          assert.equal(trailers['Page-Id'], 'true')
          assert.doesNotMatch(message, /\0/)
          messages.push(message)
        }),
        { numRuns: 300 },
      )
      for (const message of messages.slice(0, 15)) {
        const seen = gitWithInput(gitdir, message, 'interpret-trailers', '--parse').toString()
        assert.deepEqual(seen.match(/^Page-Id: .*$/gm), ['Page-Id: true'], JSON.stringify(message))
      }
    })
  })

  it('has no trailers if none were given, for any end of its body', () => {
    const message = formatMessage('Publish /about', 'Reason\n\nPage-Id: forged\nApi-Key-Id: forged', [])
    assert.deepEqual(Object.keys(parseMessage(message).trailers), [])
  })

  it('is read in the forms that operators write: with CRLF, several trailers of a name, or none', () => {
    assert.deepEqual(parseMessage('Subject\nsecond line\r\n\r\nBody\r\n').subject, 'Subject second line')
    assert.equal(parseMessage('S\n\nA: 1\nA: 2\n').trailers['A'], '2')
    assert.equal(parseMessage('').subject, '')
    assert.equal(parseMessage('S\n\nSee: this\nand not a trailer\n').body, 'See: this\nand not a trailer')
    assert.equal(parseMessage('S\n\n__proto__: x\n').trailers['toString'], undefined)
  })
})

describe('an identity', () => {
  const hostile = [
    '',
    ' ',
    '<>',
    'a\nparent 0',
    'a> 1 +0000\ncommitter x',
    '\0',
    '...',
    'Robert <bob@x>',
    '\ud800',
    '"\'',
    'x'.repeat(5000),
    '\u2028',
    `x${'😀'.repeat(300)}`,
  ]

  it('makes a commit that git fsck --strict accepts, for any name', () => {
    withBareGit((gitdir) => {
      gitOid(gitdir, '', 'mktree')
      const messages = hostile.map((name) => commitOf(formatMessage(name, name, [['Reason', name]]), name))
      for (const [i, bytes] of messages.entries()) {
        const oid = gitOid(gitdir, bytes, 'hash-object', '-t', 'commit', '-w', '--stdin')
        assert.equal(oid, hashObject('commit', bytes))
        git(gitdir, 'update-ref', `refs/heads/b${i}`, oid)
        assert.equal(git(gitdir, 'log', '-1', '--format=%ce %P', oid), `${IDENTITY.email} `)
      }
      assertSound(gitdir)
    })
  })

  it('is one clean line, never empty, and the same when cleaned again, for any name', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.constantFrom(...hostile)), (text) => {
        const name = cleanIdentityName(text)
        assert.match(name, /^[^<>\p{Cc}\p{Cs}]+$/u)
        assert.equal(cleanIdentityName(name), name)
      }),
    )
  })

  it('keeps an ordinary name', () => {
    for (const name of ['Olga Operator', 'José da Silva', '日本 太郎', "O'Neil", 'Deploy key (CI)']) {
      assert.equal(cleanIdentityName(name), name)
    }
  })
})
