// Seals secrets that the service must be able to read again. The key is in no backup (AES-256-GCM, NIST SP 800-38D).

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

export const SECRETS_KEY_BYTES = 32
const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

export class SecretBox {
  readonly #key: Buffer

  /** `key` must have SECRETS_KEY_BYTES. */
  constructor(key: Buffer) {
    this.#key = key
  }

  /** Returns nonce, tag and ciphertext in base64. `place` names the owner of the secret; it cannot be opened for another place. */
  seal(secret: string, place: string): string {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce).setAAD(Buffer.from(place))
    const sealed = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64')
  }

  /** Returns undefined if it was sealed with another key, or for another place. */
  open(sealed: string, place: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64')
    const tagEnd = NONCE_BYTES + TAG_BYTES
    const [nonce, tag] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES, tagEnd)]
    try {
      const decipher = createDecipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(place)).setAuthTag(tag)
      return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString()
    } catch {
      return undefined
    }
  }
}
