// Signatures of commits by ed25519 keys in OpenSSH's format (PROTOCOL.sshsig), as git makes and verifies them with `gpg.format=ssh`.

import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

/** The 32 bytes of an ed25519 key in base64url, as in JSON Web Keys. */
export type PublicKey = string

/** A key that signs, or signed, commits. */
export interface Signer {
  key: PublicKey
  /** Last time of commits that it counts for, in seconds since the epoch. */
  until?: number
}

const MAGIC = Buffer.from('SSHSIG')
const NAMESPACE = 'git'
const HASH = 'sha512'
const KEY_TYPE = 'ssh-ed25519'
const SIGNATURE_BYTES = 64
const ARMOR_CHARACTERS = 70
const FIELD = 'gpgsig '

/** Returns the public key. `pem` is an ed25519 key in PKCS #8. */
export function publicKeyOf(pem: string): PublicKey {
  const { x = '' } = createPublicKey(createPrivateKey(pem)).export({ format: 'jwk' })
  return x
}

/** Returns the key as in `authorized_keys` and `allowed_signers`, without its type. */
export function toOpenSsh(key: PublicKey): string {
  return keyBlobOf(key).toString('base64')
}

/** Parses a key; undefined for anything but an ed25519 key. */
export function fromOpenSsh(text: string): PublicKey | undefined {
  const blob = Buffer.from(text, 'base64')
  const key = blob.subarray(-32).toString('base64url')
  return blob.equals(keyBlobOf(key)) ? key : undefined
}

/** Returns a function that signs commits without a signature: the signature becomes their last header field. */
export function createSigner(pem: string): (commit: Buffer) => Buffer {
  const privateKey = createPrivateKey(pem)
  const prefix = prefixOf(publicKeyOf(pem))
  return (commit) => {
    const signature = Buffer.concat([prefix, sign(null, signedBytes(commit), privateKey)])
    const end = commit.indexOf('\n\n') + 1
    return Buffer.concat([commit.subarray(0, end), Buffer.from(FIELD + armorOf(signature)), commit.subarray(end)])
  }
}

/** Returns the keys that count for commits of that time, in seconds since the epoch. */
export function keysAt(signers: readonly Signer[], time: number): PublicKey[] {
  return signers.filter(({ until = time }) => time <= until).map(({ key }) => key)
}

/** Whether one of the keys signed the commit. */
export function isSignedBy(commit: Buffer, keys: readonly PublicKey[]): boolean {
  const { payload, armor } = splitSignature(commit)
  if (armor === undefined) return false
  const signature = Buffer.from(armor.replaceAll(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  // The same bytes have many spellings in Base64: only one is accepted.
  if (armorOf(signature) !== armor) return false
  const prefix = signature.subarray(0, -SIGNATURE_BYTES)
  const key = keys.find((known) => prefixOf(known).equals(prefix))
  return key !== undefined && verify(null, signedBytes(payload), keyObjectOf(key), signature.subarray(-SIGNATURE_BYTES))
}

/** Signs a text that is no commit. The text begins with what it is for, so that it can be taken for nothing else. */
export function signText(pem: string, text: string): string {
  return sign(null, Buffer.from(text), createPrivateKey(pem)).toString('base64url')
}

/** Whether one of the keys signed the text. */
export function isTextSignedBy(text: string, signature: string, keys: readonly PublicKey[]): boolean {
  const bytes = Buffer.from(signature, 'base64url')
  return keys.some((key) => verify(null, Buffer.from(text), keyObjectOf(key), bytes))
}

/** Returns the value of the header field: its lines after the first begin with a space. */
function armorOf(signature: Buffer): string {
  const lines = signature.toString('base64').match(new RegExp(`.{1,${ARMOR_CHARACTERS}}`, 'g')) ?? []
  return `${['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----'].join('\n ')}\n`
}

/** Splits a commit into the commit without its signature field, and that field. */
function splitSignature(commit: Buffer): { payload: Buffer; armor?: string } {
  const end = commit.indexOf('\n\n') + 1
  const start = commit.indexOf(`\n${FIELD}`) + 1
  if (start === 0 || start >= end) return { payload: commit }
  let stop = commit.indexOf('\n', start) + 1
  // Lines that start with a space continue a field.
  while (commit[stop] === 0x20) stop = commit.indexOf('\n', stop) + 1
  return {
    payload: Buffer.concat([commit.subarray(0, start), commit.subarray(stop)]),
    armor: commit.subarray(start + FIELD.length, stop).toString('latin1'),
  }
}

function signedBytes(commit: Buffer): Buffer {
  return Buffer.concat([MAGIC, ...[NAMESPACE, '', HASH, createHash(HASH).update(commit).digest()].map(toSshString)])
}

/** Returns all of a signature except its last 64 bytes. */
function prefixOf(key: PublicKey): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(4 + KEY_TYPE.length + 4 + SIGNATURE_BYTES)
  const signatureLength = Buffer.alloc(4)
  signatureLength.writeUInt32BE(SIGNATURE_BYTES)
  const version = Buffer.from([0, 0, 0, 1])
  const fields = [keyBlobOf(key), NAMESPACE, '', HASH].map(toSshString)
  return Buffer.concat([MAGIC, version, ...fields, length, toSshString(KEY_TYPE), signatureLength])
}

function keyBlobOf(key: PublicKey): Buffer {
  return Buffer.concat([KEY_TYPE, Buffer.from(key, 'base64url')].map(toSshString))
}

function keyObjectOf(x: PublicKey): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
}

/** Encodes a string of the SSH protocol: its length, then its bytes (RFC 4251 §5). */
function toSshString(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.length)
  return Buffer.concat([length, bytes])
}
