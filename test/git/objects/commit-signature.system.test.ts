import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseCommit } from '../../../src/git/objects/commit.js'
import {
  createSigner,
  fromOpenSsh,
  isSignedBy,
  publicKeyOf,
  toOpenSsh,
} from '../../../src/git/objects/commit-signature.js'
import { git } from '../../support/git.js'
import { commitOf, newKey } from './signed-commits.js'

const pem = newKey()
const key = publicKeyOf(pem)

describe('the signature of a commit, compared with git and OpenSSH,', () => {
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

  it('is valid for git, which finds nothing wrong with the commit', () => {
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
})
