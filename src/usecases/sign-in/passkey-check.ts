// Checks what passkeys answer (WebAuthn Level 3, §7.1 and §7.2). A library parses it, and Node checks the signature.

import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { authenticatorMetadata, parsers } from '@passwordless-id/webauthn'
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
const MIN_MODULUS_BITS = 2_048
/** Where the length of the credential id ends in authenticator data (§6.5.1). */
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
export function checkNewPasskey(body: AddPasskeyBody, question: Question): NewCredential {
  return checked(() => {
    const { aaguid, signCount } = readAnswer(body, 'webauthn.create', question)
    refuseOther(body)
    const { publicKey, algorithm } = body
    return { algorithm: ALGORITHMS[algorithm], publicKey, counter: signCount, keeper: authenticatorMetadata[aaguid] }
  })
}

/** Checks the answer of a known passkey, but not its count. Returns the count. Throws `passkey_refused`. */
export function checkAnswer(answer: PasskeyAnswer, { publicKey }: Passkey, question: Question): number {
  return checked(() => {
    const { signCount } = readAnswer(answer, 'webauthn.get', question)
    const clientHash = createHash('sha256').update(bytesOf(answer.clientDataJSON)).digest()
    const signed = Buffer.concat([bytesOf(answer.authenticatorData), clientHash])
    if (!verify('sha256', signed, keyOf(publicKey), bytesOf(answer.signature)))
      throw new Error('the signature is wrong')
    return signCount
  })
}

/** Parses the facts of an authenticator. Throws unless they and the browser tell of this question, and of a verified person. */
function readAnswer(
  { clientDataJSON, authenticatorData }: Pick<PasskeyAnswer, 'clientDataJSON' | 'authenticatorData'>,
  type: 'webauthn.create' | 'webauthn.get',
  { challenge, origin, rpId }: Question,
): ReturnType<typeof parsers.parseAuthenticator> {
  const client = parsers.parseClient(clientDataJSON)
  const facts = parsers.parseAuthenticator(authenticatorData)
  const isOfPage = client.type === type && client.challenge === challenge && client.origin === origin
  const isForHost = bytesOf(facts.rpIdHash).equals(createHash('sha256').update(rpId).digest())
  const { userPresent, userVerified } = facts.flags
  if (!isOfPage || !isForHost) throw new Error('this answers another question')
  if (!userPresent || !userVerified) throw new Error('the person was not there, or not verified')
  return facts
}

/** Throws unless the authenticator data is about this credential and this public key. */
function refuseOther({ authenticatorData, credentialId, publicKey, algorithm }: AddPasskeyBody): void {
  const data = bytesOf(authenticatorData)
  const id = data.subarray(CREDENTIAL_AT, CREDENTIAL_AT + data.readUInt16BE(CREDENTIAL_AT - 2))
  const isSame = parsers.parseAuthenticator(authenticatorData).flags.attestedData && id.equals(bytesOf(credentialId))
  const key = keyOf(publicKey)
  const { crv, x, y, n } = key.export({ format: 'jwk' })
  const isEs256 = algorithm === -7 && crv === 'P-256'
  const isRs256 = algorithm === -257 && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_MODULUS_BITS
  const parts = isEs256 ? [x, y] : isRs256 ? [n] : []
  const isIn = parts.every((part) => data.includes(bytesOf(part ?? ''), CREDENTIAL_AT))
  if (!isSame || parts.length === 0 || !isIn) throw new Error('the parts of the answer do not belong together')
}

function keyOf(publicKey: string): KeyObject {
  return createPublicKey({ key: bytesOf(publicKey), format: 'der', type: 'spki' })
}

function bytesOf(base64url: string): Buffer {
  return Buffer.from(base64url, 'base64url')
}

/** Runs a check whose input may be anything: whatever it throws is a refusal, which does not tell how far the answer got. */
function checked<T>(check: () => T): T {
  try {
    return check()
  } catch (cause) {
    const message = 'The answer of this passkey is not right: try again, or sign in another way.'
    // The cause is for operators.
    throw Object.assign(new ServiceError('passkey_refused', message), { cause })
  }
}
