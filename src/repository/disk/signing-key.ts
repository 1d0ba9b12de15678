// The key that signs the service's commits. `<data dir>/signing` holds the private key, and every public key that ever signed, with the
// time until which it is valid. Backups hold only the public keys: a restored service recognizes its older commits and makes a new key.
// Each machine has a private key of its own, and the public keys of all.

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
  signText,
  toOpenSsh,
} from '../../git/objects/commit-signature.js'
import { COMMITTER } from '../format/main-ref.js'

const PRIVATE_KEY = 'key.pem'
const PRIVATE_MODE = 0o600

/** Returns the path of the file in the format of ssh-keygen's `allowed_signers`; operators can set it as `gpg.ssh.allowedSignersFile`. */
export function allowedSignersIn(dataDir: string): string {
  return join(folderIn(dataDir), 'allowed_signers')
}

/** Returns a function that signs commits with the current key; another process may rotate it. The first commit makes the key. */
export function openSigner(dataDir: string): (commit: Buffer) => Buffer {
  let opened: { mark: string; sign: (commit: Buffer) => Buffer } | undefined
  return (commit) => {
    const mark = keyMark(dataDir)
    if (opened === undefined || opened.mark !== mark) opened = { mark, sign: loadSigner(dataDir) }
    return opened.sign(commit)
  }
}

/** Opens the key, and makes its public half durable before anything is signed. */
function loadSigner(dataDir: string): (commit: Buffer) => Buffer {
  const pem = readKey(dataDir) ?? makeKey(dataDir)
  noteSigners(dataDir, [{ key: publicKeyOf(pem) }])
  return createSigner(pem)
}

/** Signs a text that is no commit with the current key, and makes its public half durable before. */
export function signWithOwnKey(dataDir: string, text: string): string {
  const pem = readKey(dataDir) ?? makeKey(dataDir)
  noteSigners(dataDir, [{ key: publicKeyOf(pem) }])
  return signText(pem, text)
}

/** Returns the public half of the key that signs here; undefined if there is none yet. */
export function ownKeyIn(dataDir: string): PublicKey | undefined {
  const pem = readKey(dataDir)
  return pem === undefined ? undefined : publicKeyOf(pem)
}

/** Returns the public half of the key, and makes a key if there is none. */
export function ensureKey(dataDir: string): PublicKey {
  return publicKeyOf(readKey(dataDir) ?? makeKey(dataDir))
}

export interface Rotation {
  /** Seconds since the epoch. */
  now: () => number | Promise<number>
  /** The time until which the old key is valid; undefined for now. */
  until?: number | undefined
  /** Tells others the signers, durably; the new key before it signs. */
  share?: (signers: readonly Signer[]) => Promise<void>
}

/** Gives the service a new key, which signs from the next commit on. The old private key is deleted. Durable when it resolves. */
export async function rotateKey(
  dataDir: string,
  { now, until, share }: Rotation,
): Promise<{ hadKey: boolean; key: PublicKey }> {
  const before = ownKeyIn(dataDir)
  const next = newKey()
  const known = [...(before === undefined ? [] : [{ key: before }]), { key: publicKeyOf(next) }]
  noteSigners(dataDir, known)
  await share?.(known)
  placeFile(keyIn(dataDir), next, renameSync)
  if (before !== undefined) {
    // The old key was in use until the rename.
    const ended = [{ key: before, until: until ?? (await now()) }]
    noteSigners(dataDir, ended)
    await share?.(ended)
  }
  return { hadKey: before !== undefined, key: publicKeyOf(next) }
}

/** Adds signers to the known ones. If a key has two end times, the earlier one counts. Durable when it returns. Returns all signers. */
export function noteSigners(dataDir: string, signers: readonly Signer[]): Signer[] {
  const known = readSigners(dataDir)
  const all = joinSigners(known, signers)
  const isNew = all.length > known.length || all.some(({ until }, i) => until !== known[i]?.until)
  if (isNew) placeFile(allowedSignersIn(dataDir), all.map(lineOf).join(''), renameSync)
  return all
}

/** Joins both lists, each signer once, with the earlier end time. */
function joinSigners(some: readonly Signer[], more: readonly Signer[]): Signer[] {
  const all = new Map<PublicKey, Signer>()
  for (const signer of [...some, ...more]) {
    const until = Math.min(signer.until ?? Infinity, all.get(signer.key)?.until ?? Infinity)
    all.set(signer.key, { key: signer.key, ...(until !== Infinity && { until }) })
  }
  return [...all.values()]
}

/** Returns all signers, old ones included. */
export function readSigners(dataDir: string): Signer[] {
  return parseLines(readAllowedSigners(dataDir))
}

/** Returns the text of the file; empty before the first write. */
export function readAllowedSigners(dataDir: string): string {
  return readIfThere(allowedSignersIn(dataDir)) ?? ''
}

function readKey(dataDir: string): string | undefined {
  return readIfThere(keyIn(dataDir))
}

/** Returns a text that changes with the key, because a new key is a new file. */
function keyMark(dataDir: string): string {
  const stat = statSync(keyIn(dataDir), { throwIfNoEntry: false })
  return stat === undefined ? '' : `${stat.ino} ${stat.mtimeMs} ${stat.ctimeMs}`
}

/** Makes the key. If several threads and processes do so at the same moment, the first key counts for all. */
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

/** Formats a line of ssh-keygen(1), "ALLOWED SIGNERS": times in UTC end with Z. */
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

/** Writes a file and puts it in place. Durable when it returns. */
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
