import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

describe('retries of tests', () => {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.test.ts'))

  it('are not configured for all tests', () => {
    assert.doesNotMatch(readFileSync('.mocharc.json', 'utf8'), /"retries"/)
  })

  it('say their reason on the line before', () => {
    const bare = files.flatMap((name) => {
      const lines = readFileSync(join('test', name), 'utf8').split('\n')
      return lines.flatMap((line, at) =>
        /\bthis\.retries\(/.test(line) && !/^\s*\/\/ /.test(lines[at - 1] ?? '') ? [`${name}:${at + 1}`] : [],
      )
    })
    assert.deepEqual(bare, [])
  })
})
