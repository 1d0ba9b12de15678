// Commits and keys for the tests of signatures.

import { generateKeyPairSync } from 'node:crypto'
import { encodeCommit } from '../../../src/git/objects/commit.js'

const ADA = { name: 'Ada', email: 'ada@example.org', time: 1_790_000_000 }

export function commitOf(message: string): Buffer {
  const tree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
  return encodeCommit({ tree, parents: [], author: ADA, committer: ADA, message })
}

export function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}
