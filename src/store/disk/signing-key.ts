// The key that signs the service's commits, in `<data dir>/signing`: the private key, and every public one that ever signed for the
// service, with the time until which it counts. Backups hold the public ones alone, so that a restored service knows the commits that
// it made before and makes a new key. On nodes each has a private key of its own, and the public ones of all.

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
  noteSigners(dataDir, [{ key: publicKeyOf(pem) }])
  return createSigner(pem)
}

/** The public half of the key that signs here; undefined where none does yet. */
export function ownKeyIn(dataDir: string): PublicKey | undefined {
  const pem = readKey(dataDir)
  return pem === undefined ? undefined : publicKeyOf(pem)
}

/** The same, of a key that is made where there is none. */
export function ensureKey(dataDir: string): PublicKey {
  return publicKeyOf(readKey(dataDir) ?? makeKey(dataDir))
}

export interface Rotation {
  /** Seconds since the epoch. */
  now: () => number | Promise<number>
  /** Until when the key before counts; undefined for now. */
  until?: number | undefined
  /** Tells others of signers, durably: of the new key before it signs. */
  share?: (signers: readonly Signer[]) => Promise<void>
}

/** Gives the service a new key, which signs from the next commit on. The key before is gone for good. Durable when it resolves. */
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
    // Until the rename the key before was in use.
    const ended = [{ key: before, until: until ?? (await now()) }]
    noteSigners(dataDir, ended)
    await share?.(ended)
  }
  return { hadKey: before !== undefined, key: publicKeyOf(next) }
}

/** Adds signers to those that are known. Of two ends of a key the earlier one counts. Durable when it returns. Answers all. */
export function noteSigners(dataDir: string, signers: readonly Signer[]): Signer[] {
  const known = readSigners(dataDir)
  const all = joinSigners(known, signers)
  const isNew = all.length > known.length || all.some(({ until }, i) => until !== known[i]?.until)
  if (isNew) placeFile(allowedSignersIn(dataDir), all.map(lineOf).join(''), renameSync)
  return all
}

/** The signers of both, each once, with the earlier end. */
function joinSigners(some: readonly Signer[], more: readonly Signer[]): Signer[] {
  const all = new Map<PublicKey, Signer>()
  for (const signer of [...some, ...more]) {
    const until = Math.min(signer.until ?? Infinity, all.get(signer.key)?.until ?? Infinity)
    all.set(signer.key, { key: signer.key, ...(until !== Infinity && { until }) })
  }
  return [...all.values()]
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
