// An authenticator in software: it makes passkeys and answers challenges as a browser does, and also wrongly, if a test asks for that.

import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { AddPasskeyBody, PasskeyAnswer } from '../../../schemas/account.js'

/** The page and the facts that an answer tells; a test changes them to attack. */
export interface Circumstances {
  origin: string
  rpId: string
  counter?: number
  /** Bits of the flags: present 1, verified 4. */
  flags?: number
  type?: string
  crossOrigin?: boolean
}

const ATTESTED = 0x40

export class SoftPasskey {
  readonly id = randomBytes(32)
  readonly algorithm: -7 | -257
  readonly #privateKey: KeyObject
  readonly #publicKey: KeyObject

  constructor(algorithm: -7 | -257 = -7) {
    this.algorithm = algorithm
    const pair =
      algorithm === -7
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('rsa', { modulusLength: 2048 })
    this.#privateKey = pair.privateKey
    this.#publicKey = pair.publicKey
  }

  /** Answers the options for a new passkey. */
  register(challenge: string, circumstances: Circumstances): AddPasskeyBody & { attestationObject: string } {
    const { counter = 0, flags = 5 } = circumstances
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    const data = Buffer.concat([
      factsOf(circumstances.rpId, flags | ATTESTED, counter),
      Buffer.alloc(16),
      length,
      this.id,
      this.#coseKey(),
    ])
    return {
      credentialId: this.id.toString('base64url'),
      clientDataJSON: clientData('webauthn.create', challenge, circumstances),
      authenticatorData: data.toString('base64url'),
      publicKey: this.#publicKey.export({ format: 'der', type: 'spki' }).toString('base64url'),
      algorithm: this.algorithm,
      attestationObject: attestation(data).toString('base64url'),
    }
  }

  /** Answers a question of the service. */
  answer(challenge: string, userId: string, circumstances: Circumstances): PasskeyAnswer {
    const { counter = 0, flags = 5 } = circumstances
    const data = factsOf(circumstances.rpId, flags, counter)
    const client = clientData('webauthn.get', challenge, circumstances)
    const signed = Buffer.concat([data, sha256(Buffer.from(client, 'base64url'))])
    return {
      credentialId: this.id.toString('base64url'),
      clientDataJSON: client,
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#privateKey).toString('base64url'),
      userHandle: Buffer.from(userId).toString('base64url'),
    }
  }

  /** The public key as COSE writes it (RFC 9053 §7.1.1, RFC 8230 §4). */
  #coseKey(): Buffer {
    const { x = '', y = '', n = '', e = '' } = this.#publicKey.export({ format: 'jwk' })
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    return this.algorithm === -7
      ? Buffer.concat([hex('a5010203262001215820'), bytes(x), hex('225820'), bytes(y)])
      : Buffer.concat([hex('a401030339010020590100'), bytes(n), hex('2143'), bytes(e)])
  }
}

/** The answer to a question in the form of the standard, for another judge. */
export function toStandardAnswer(answer: PasskeyAnswer): AuthenticationResponseJSON {
  const { credentialId, clientDataJSON, authenticatorData, signature, userHandle } = answer
  const response = { clientDataJSON, authenticatorData, signature, userHandle }
  return { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {}, response }
}

/** The same for a new passkey. */
export function toStandardRegistration({
  credentialId,
  clientDataJSON,
  attestationObject,
}: ReturnType<SoftPasskey['register']>): RegistrationResponseJSON {
  const response = { clientDataJSON, attestationObject }
  return { id: credentialId, rawId: credentialId, type: 'public-key', clientExtensionResults: {}, response }
}

function clientData(type: string, challenge: string, circumstances: Circumstances): string {
  const { origin, crossOrigin = false } = circumstances
  return Buffer.from(JSON.stringify({ type: circumstances.type ?? type, challenge, origin, crossOrigin })).toString(
    'base64url',
  )
}

function factsOf(rpId: string, flags: number, counter: number): Buffer {
  const rest = Buffer.alloc(5)
  rest.writeUInt8(flags)
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(Buffer.from(rpId)), rest])
}

/** An attestation object of the format `none`, in CBOR. */
function attestation(data: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(data.length)
  const text = (word: string) => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
  return Buffer.concat([
    hex('a3'),
    text('fmt'),
    text('none'),
    text('attStmt'),
    hex('a0'),
    text('authData'),
    hex('59'),
    length,
    data,
  ])
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest()
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
