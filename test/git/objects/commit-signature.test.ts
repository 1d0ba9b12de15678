import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assert as holds, integer, nat, property, uint8Array } from 'fast-check'
import { encodeCommit, parseCommit } from '../../../src/git/objects/commit.js'
import {
  createSigner,
  fromOpenSsh,
  isSignedBy,
  publicKeyOf,
  toOpenSsh,
} from '../../../src/git/objects/commit-signature.js'
import { git } from '../../support/git.js'

const ADA = { name: 'Ada', email: 'ada@example.org', time: 1_790_000_000 }
const pem = newKey()
const key = publicKeyOf(pem)

describe('the signature of a commit', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-signature-'))
    git(folder, 'init', '--quiet')
    git(folder, 'config', 'gpg.format', 'ssh')
    git(folder, 'config', 'gpg.ssh.allowedSignersFile', join(folder, 'allowed_signers'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const store = (commit: Buffer) =>
    execFileSync('git', ['-C', folder, 'hash-object', '-t', 'commit', '-w', '--stdin'], { input: commit })
      .toString()
      .trim()

  it('is good for git, which finds nothing wrong with the commit', () => {
    writeFileSync(join(folder, 'allowed_signers'), `ada@example.org ssh-ed25519 ${toOpenSsh(key)}\n`)
    const signed = createSigner(pem)(commitOf('Publish /about\n\nApi-Key-Id: 1\n'))
    git(folder, 'verify-commit', store(signed))
    assert.equal(parseCommit(signed).message, 'Publish /about\n\nApi-Key-Id: 1\n')
    git(folder, 'fsck', '--strict')
  })

  it('is known as ours in a commit that git signed with the same key', () => {
    const file = join(folder, 'id')
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file])
    git(folder, 'config', 'user.signingKey', `${file}.pub`)
    git(folder, 'commit', '--quiet', '--allow-empty', '-S', '-m', 'by git')
    const theirs = fromOpenSsh(
      execFileSync('cut', ['-d ', '-f2', `${file}.pub`])
        .toString()
        .trim(),
    )
    assert.ok(theirs)
    const bytes = execFileSync('git', ['-C', folder, 'cat-file', 'commit', 'HEAD'])
    assert.deepEqual([isSignedBy(bytes, [key, theirs]), isSignedBy(bytes, [key])], [true, false])
  })

  it('counts for the very bytes that were signed, by a known key, and for nothing else', () => {
    const signed = createSigner(pem)(commitOf('one'))
    assert.equal(isSignedBy(signed, [publicKeyOf(newKey()), key]), true)
    assert.equal(isSignedBy(signed, [publicKeyOf(newKey())]), false)
    assert.equal(isSignedBy(signed, []), false)
    assert.equal(isSignedBy(commitOf('one'), [key]), false)
    holds(
      property(nat(signed.length - 1), integer({ min: 1, max: 255 }), (at, change) => {
        const other = Buffer.from(signed)
        other[at] = (other[at] ?? 0) ^ change
        assert.equal(isSignedBy(other, [key]), false)
      }),
    )
  })

  it('cannot be forged in the message of a commit', () => {
    const armor = /gpgsig ([^]*?END SSH SIGNATURE-----)/.exec(createSigner(pem)(commitOf('one')).toString())?.[1] ?? ''
    assert.equal(isSignedBy(commitOf(`one\n\ngpgsig ${armor}\n`), [key]), false)
    holds(property(uint8Array(), (bytes) => assert.equal(isSignedBy(Buffer.from(bytes), [key]), false)))
  })
})

function commitOf(message: string): Buffer {
  const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
  return encodeCommit({ tree, parents: [], author: ADA, committer: ADA, message })
}

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}
