import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

describe('a test', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))

  it('has one try', () => {
    assert.doesNotMatch(readFileSync('.mocharc.json', 'utf8'), /"retries"/)
    const patient = files.filter((name) => /\bthis\.retries\(/.test(readFileSync(join('test', name), 'utf8')))
    assert.deepEqual(patient, [])
  })
})
