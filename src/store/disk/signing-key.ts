// The key that signs the service's commits, in `<data dir>/signing`: the private key, and every public one that ever signed there.
// Backups hold the public ones alone, so that a restored service knows the commits that it made before and makes a new key.

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolderDurable, syncDirectory, writeFileDurable } from '../../git/disk/durable.js'
import {
  createSigner,
  fromOpenSsh,
  type PublicKey,
  publicKeyOf,
  toOpenSsh,
} from '../../git/objects/commit-signature.js'
import { COMMITTER } from '../format/main-ref.js'

const PRIVATE_KEY = 'key.pem'
const PRIVATE_MODE = 0o600

/** In the format of ssh-keygen's `allowed_signers`: operators can give it to git as `gpg.ssh.allowedSignersFile`. */
export function allowedSignersIn(dataDir: string): string {
  return join(folderIn(dataDir), 'allowed_signers')
}

/** Signs commits. The first one makes the key; its public half is durable before anything is signed. */
export function openSigner(dataDir: string): (commit: Buffer) => Buffer {
  const pem = readKey(dataDir) ?? makeKey(dataDir)
  const key = publicKeyOf(pem)
  if (!readSigners(dataDir).includes(key)) addSigner(dataDir, key)
  return createSigner(pem)
}

/** The public keys of all signers, old ones included. */
export function readSigners(dataDir: string): PublicKey[] {
  const lines = readIfThere(allowedSignersIn(dataDir))?.split('\n') ?? []
  return lines.flatMap((line) => fromOpenSsh(/ ssh-ed25519 (\S+)$/.exec(line)?.[1] ?? '') ?? [])
}

function readKey(dataDir: string): string | undefined {
  return readIfThere(join(folderIn(dataDir), PRIVATE_KEY))
}

/** Several threads and processes may make it at the same moment: the first one's counts for all. */
function makeKey(dataDir: string): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const pem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  placeFile(join(folderIn(dataDir), PRIVATE_KEY), pem, (from, to) => {
    try {
      linkSync(from, to)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    unlinkSync(from)
  })
  return readKey(dataDir) ?? pem
}

function addSigner(dataDir: string, key: PublicKey): void {
  const path = allowedSignersIn(dataDir)
  const line = `${COMMITTER.email} namespaces="git" ssh-ed25519 ${toOpenSsh(key)}\n`
  placeFile(path, `${readIfThere(path) ?? ''}${line}`, renameSync)
}

/** Durable when it returns. */
function placeFile(path: string, text: string, place: (from: string, to: string) => void): void {
  makeFolderDurable(dirname(path))
  const temporary = `${path}.${randomUUID()}`
  writeFileDurable(temporary, Buffer.from(text), PRIVATE_MODE)
  place(temporary, path)
  syncDirectory(dirname(path))
}

function folderIn(dataDir: string): string {
  return join(dataDir, 'signing')
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
