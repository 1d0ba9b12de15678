// Checks what passkeys answer (WebAuthn Level 3, §7.1 and §7.2) with a library, and what the library leaves out.

import { createPublicKey } from 'node:crypto'
import { parsers, server } from '@passwordless-id/webauthn'
import type { AddPasskeyBody, PasskeyAnswer } from '../../../schemas/account.js'
import type { Passkey } from '../../catalog/people/passkeys.js'
import { ServiceError } from '../../model/errors.js'

/** The question that an answer must be about. */
export interface Question {
  challenge: string
  /** The origin of the page that asked. */
  origin: string
  /** The host that the passkey is for. */
  rpId: string
}

export interface NewCredential {
  algorithm: 'ES256' | 'RS256'
  publicKey: string
  counter: number
  /** The program that keeps the passkey, if it is known. */
  keeper: string | undefined
}

const ALGORITHMS = { [-7]: 'ES256', [-257]: 'RS256' } as const
/** The least number of characters of a modulus of 2048 bits in base64url. */
const MIN_MODULUS_CHARACTERS = 342
/** Places in authenticator data (§6.1 and §6.5.1). */
const CREDENTIAL_AT = 55

/** Returns the challenge that an answer names. The caller checks that it was asked. Throws `passkey_refused`. */
export function challengeIn(clientDataJSON: string): string {
  return checked(() => {
    const { challenge, crossOrigin } = parsers.parseClient(clientDataJSON)
    if (crossOrigin === true) throw new Error('another page frames this one')
    return challenge
  })
}

/** Checks a new passkey. Attestation is not asked for, so it says what the browser says. Throws `passkey_refused`. */
export async function checkNewPasskey(
  body: AddPasskeyBody,
  { challenge, origin, rpId }: Question,
): Promise<NewCredential> {
  const { credentialId: id, clientDataJSON, authenticatorData, publicKey } = body
  const response = { clientDataJSON, authenticatorData, publicKey, publicKeyAlgorithm: body.algorithm }
  const answer = { id, rawId: id, type: 'public-key' as const, clientExtensionResults: {}, user: { name: '' } }
  return await checked(async () => {
    const found = await server.verifyRegistration(
      { ...answer, response: { ...response, attestationObject: '', transports: [] } },
      { challenge, origin, domain: rpId, userVerified: true },
    )
    refuseOther(Buffer.from(authenticatorData, 'base64url'), body)
    const { counter, name } = found.authenticator
    return { algorithm: ALGORITHMS[body.algorithm], publicKey, counter, keeper: name === 'Unknown' ? undefined : name }
  })
}

/** Checks the answer of a known passkey, but not its count. Returns the count. Throws `passkey_refused`. */
export async function checkAnswer(
  answer: PasskeyAnswer,
  { credentialId: id, publicKey, algorithm }: Passkey,
  { challenge, origin, rpId }: Question,
): Promise<number> {
  const { clientDataJSON, authenticatorData, userHandle } = answer
  const credential = { id, publicKey, algorithm: algorithm as NewCredential['algorithm'], transports: [] }
  return await checked(async () => {
    const signature = algorithm === 'ES256' ? padded(answer.signature) : answer.signature
    const response = { clientDataJSON, authenticatorData, signature, userHandle }
    const found = await server.verifyAuthentication(
      { id: answer.credentialId, rawId: id, type: 'public-key', clientExtensionResults: {}, response },
      credential,
      { challenge, origin, domain: rpId, userVerified: true },
    )
    return found.counter
  })
}

/** Throws unless the authenticator data is about this credential and this public key, and a person was there. */
function refuseOther(data: Buffer, { credentialId, publicKey, algorithm }: AddPasskeyBody): void {
  const { userPresent, attestedData } = parsers.parseAuthenticator(new Uint8Array(data).buffer).flags
  const id = data.subarray(CREDENTIAL_AT, CREDENTIAL_AT + data.readUInt16BE(CREDENTIAL_AT - 2))
  const isSame = userPresent && attestedData && id.equals(Buffer.from(credentialId, 'base64url'))
  const spki = Buffer.from(publicKey, 'base64url')
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' }).export({ format: 'jwk' })
  const isEs256 = algorithm === -7 && key.crv === 'P-256'
  const isRs256 = algorithm === -257 && (key.n?.length ?? 0) >= MIN_MODULUS_CHARACTERS
  const parts = isEs256 ? [key.x, key.y] : isRs256 ? [key.n] : []
  const isIn = parts.every((part) => data.includes(Buffer.from(part ?? '', 'base64url'), CREDENTIAL_AT))
  if (!isSame || parts.length === 0 || !isIn) throw new Error('the parts of the answer do not belong together')
}

/**
 * Returns an ES256 signature whose two numbers have 33 bytes each. The library expects numbers of at least 32 bytes, but DER leaves out
 * leading zeros: it would refuse one right signature of 128.
 */
function padded(signature: string): string {
  const der = Buffer.from(signature, 'base64url')
  const r = numberAt(der, 2)
  const s = numberAt(der, 4 + r.length)
  if (der[0] !== 0x30 || der[1] !== der.length - 2 || der.length !== 6 + r.length + s.length) throw new Error('no DER')
  const numbers = [r, s].map((number) => {
    const bytes = number[0] === 0 ? number.subarray(1) : number
    if (bytes.length > 32) throw new Error('too long a number')
    return Buffer.concat([Buffer.from([2, 33]), Buffer.alloc(33 - bytes.length), bytes])
  })
  return Buffer.concat([Buffer.from([0x30, 70]), ...numbers]).toString('base64url')
}

function numberAt(der: Buffer, at: number): Buffer {
  const length = der[at + 1] ?? 0
  if (der[at] !== 2 || length === 0) throw new Error('no number')
  return der.subarray(at + 2, at + 2 + length)
}

/** Runs a check whose input may be anything: whatever it throws is a refusal. */
function checked<T>(check: () => T): T
function checked<T>(check: () => Promise<T>): Promise<T>
function checked<T>(check: () => T | Promise<T>): T | Promise<T> {
  try {
    const found = check()
    return found instanceof Promise ? found.catch(refuse) : found
  } catch (error) {
    return refuse(error)
  }
}

/** Keeps the reason for operators; the message tells nobody how far an answer got. */
function refuse(cause: unknown): never {
  const message = 'The answer of this passkey is not right: try again, or sign in another way.'
  throw Object.assign(new ServiceError('passkey_refused', message), { cause })
}
