// The key that signs the service's commits, in `<data dir>/signing`: the private key, and every public one that ever signed there,
// with the time until which it counts. Backups hold the public ones alone, so that a restored service knows the commits that it
// made before and makes a new key.

import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, statSync, unlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolderDurable, syncDirectory, writeFileDurable } from '../../git/disk/durable.js'
import {
  createSigner,
  fromOpenSsh,
  type PublicKey,
  publicKeyOf,
  type Signer,
  toOpenSsh,
} from '../../git/objects/commit-signature.js'
import { COMMITTER } from '../format/main-ref.js'

const PRIVATE_KEY = 'key.pem'
const PRIVATE_MODE = 0o600

/** In the format of ssh-keygen's `allowed_signers`: operators can give it to git as `gpg.ssh.allowedSignersFile`. */
export function allowedSignersIn(dataDir: string): string {
  return join(folderIn(dataDir), 'allowed_signers')
}

/** Signs commits with the key of the moment: another process may rotate it. The first commit makes the key. */
export function openSigner(dataDir: string): (commit: Buffer) => Buffer {
  let opened: { mark: string; sign: (commit: Buffer) => Buffer } | undefined
  return (commit) => {
    const mark = keyMark(dataDir)
    if (opened === undefined || opened.mark !== mark) opened = { mark, sign: loadSigner(dataDir) }
    return opened.sign(commit)
  }
}

/** The public half of the key is durable before anything is signed. */
function loadSigner(dataDir: string): (commit: Buffer) => Buffer {
  const pem = readKey(dataDir) ?? makeKey(dataDir)
  addSigner(dataDir, publicKeyOf(pem))
  return createSigner(pem)
}

/**
 * Gives the service a new key, which signs from the next commit on. The key before counts for commits until `until` (seconds since
 * the epoch), or until now; it is gone for good. Durable when it returns.
 */
export function rotateKey(dataDir: string, now: () => number, until?: number): { hadKey: boolean; publicKey: string } {
  const pem = readKey(dataDir)
  const before = pem === undefined ? undefined : publicKeyOf(pem)
  if (before !== undefined) addSigner(dataDir, before)
  const next = newKey()
  const after = publicKeyOf(next)
  addSigner(dataDir, after)
  placeFile(keyIn(dataDir), next, renameSync)
  // Until the rename the key before was in use.
  if (before !== undefined) endSigner(dataDir, before, until ?? now())
  return { hadKey: before !== undefined, publicKey: `ssh-ed25519 ${toOpenSsh(after)}` }
}

/** All signers, old ones included. */
export function readSigners(dataDir: string): Signer[] {
  return parseLines(readAllowedSigners(dataDir))
}

/** The text of the file; empty before the first write. */
export function readAllowedSigners(dataDir: string): string {
  return readIfThere(allowedSignersIn(dataDir)) ?? ''
}

function readKey(dataDir: string): string | undefined {
  return readIfThere(keyIn(dataDir))
}

/** Changes with the key: a new one is another file. */
function keyMark(dataDir: string): string {
  const stat = statSync(keyIn(dataDir), { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.ctimeMs}`
}

/** Several threads and processes may make it at the same moment: the first one's counts for all. */
function makeKey(dataDir: string): string {
  const pem = newKey()
  placeFile(keyIn(dataDir), pem, (from, to) => {
    try {
      linkSync(from, to)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    unlinkSync(from)
  })
  return readKey(dataDir) ?? pem
}

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
}

function addSigner(dataDir: string, key: PublicKey): void {
  const text = readAllowedSigners(dataDir)
  if (parseLines(text).some((signer) => signer.key === key)) return
  placeFile(allowedSignersIn(dataDir), text + lineOf({ key }), renameSync)
}

function endSigner(dataDir: string, key: PublicKey, until: number): void {
  const lines = readAllowedSigners(dataDir)
    .split(/(?<=\n)/)
    .map((line) => (parseLine(line)[0]?.key === key ? lineOf({ key, until }) : line))
  placeFile(allowedSignersIn(dataDir), lines.join(''), renameSync)
}

/** ssh-keygen(1), "ALLOWED SIGNERS": times in UTC end with Z. */
function lineOf({ key, until }: Signer): string {
  const end =
    until === undefined ? '' : `,valid-before="${new Date(until * 1000).toISOString().replace(/[-:T]|\.\d+/g, '')}"`
  return `${COMMITTER.email} namespaces="git"${end} ssh-ed25519 ${toOpenSsh(key)}\n`
}

function parseLines(text: string): Signer[] {
  return text.split('\n').flatMap(parseLine)
}

function parseLine(line: string): Signer[] {
  const key = fromOpenSsh(/ ssh-ed25519 (\S+)\s*$/.exec(line)?.[1] ?? '')
  if (key === undefined) return []
  const [, day = '', hour = '', minute = '', second = ''] = /valid-before="(\d{8})(\d\d)(\d\d)(\d\d)Z"/.exec(line) ?? []
  if (day === '') return [{ key }]
  const date = day.replace(/^(\d{4})(\d\d)/, '$1-$2-')
  return [{ key, until: Date.parse(`${date}T${hour}:${minute}:${second}Z`) / 1000 }]
}

/** Durable when it returns. */
function placeFile(path: string, text: string, place: (from: string, to: string) => void): void {
  makeFolderDurable(dirname(path))
  const temporary = `${path}.${randomUUID()}`
  writeFileDurable(temporary, Buffer.from(text), PRIVATE_MODE)
  place(temporary, path)
  syncDirectory(dirname(path))
}

function keyIn(dataDir: string): string {
  return join(folderIn(dataDir), PRIVATE_KEY)
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
