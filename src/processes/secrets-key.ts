// Reads the key from SECRETS_KEY_FILE. It seals secrets that the service must be able to read again.

import { readFileSync } from 'node:fs'
import { type Config, InvalidConfiguration } from './config/config.js'
import { SecretBox, SECRETS_KEY_BYTES } from '../catalog/database/secret-box.js'

/** Returns undefined if none is configured. Throws InvalidConfiguration if the file cannot be read or has no valid key. */
export function openSecretBox({ secretsKeyFile: file }: Pick<Config, 'secretsKeyFile'>): SecretBox | undefined {
  if (file === undefined) return undefined
  let key: Buffer
  try {
    key = readFileSync(file)
  } catch (error) {
    throw new InvalidConfiguration([`SECRETS_KEY_FILE (${file}) cannot be read: ${(error as Error).message}`])
  }
  if (key.length === SECRETS_KEY_BYTES) return new SecretBox(key)
  throw new InvalidConfiguration([
    `SECRETS_KEY_FILE (${file}) must hold ${SECRETS_KEY_BYTES} random bytes, and has ${key.length}: head -c ${SECRETS_KEY_BYTES} /dev/urandom > ${file}`,
  ])
}
