import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSecretBox } from '../../src/processes/secrets-key.js'
import { loadConfig } from '../../src/processes/config/config.js'
import { SecretBox } from '../../src/catalog/database/secret-box.js'

describe('the key of the secrets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'palimpsest-secrets-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('is read from a file with 32 bytes outside of the data directory, and any other file is refused', () => {
    assert.equal(openSecretBox(loadConfig({})), undefined)
    const file = join(folder, 'key')
    const config = loadConfig({ SECRETS_KEY_FILE: file })
    assert.throws(() => openSecretBox(config), /SECRETS_KEY_FILE .* cannot be read: ENOENT/)
    writeFileSync(file, randomBytes(31))
    assert.throws(() => openSecretBox(config), /must hold 32 random bytes, and has 31: head -c 32/)
    writeFileSync(file, randomBytes(32))
    assert.ok(openSecretBox(config))
    const inside = { DATA_DIR: folder, SECRETS_KEY_FILE: file }
    assert.throws(() => loadConfig(inside), /SECRETS_KEY_FILE must lie outside of DATA_DIR/)
  })

  it('opens what it sealed for the same place, but nothing that was moved, changed or sealed with another key', () => {
    const box = new SecretBox(randomBytes(32))
    const sealed = box.seal('open sesame', 'here')
    assert.equal(box.open(sealed, 'here'), 'open sesame')
    assert.notEqual(box.seal('open sesame', 'here'), sealed)
    assert.equal(box.open(sealed, 'there'), undefined)
    assert.equal(new SecretBox(randomBytes(32)).open(sealed, 'here'), undefined)
    const changed = Buffer.from(sealed, 'base64')
    changed.writeUInt8(changed.readUInt8(changed.length - 1) ^ 1, changed.length - 1)
    assert.equal(box.open(changed.toString('base64'), 'here'), undefined)
    assert.equal(box.open('', 'here'), undefined)
  })
})
