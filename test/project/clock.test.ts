// No test of `npm test` goes by the clock of the machine: a fixed sleep is too short on a busy one, and too long on a quiet one.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const SLEEP = /\bsetTimeout as \w+\b|\bsetTimeout\(/
/** Files that still sleep, and why. A sleep in a new test is replaced by `within` or `until` of test/support/within.ts. */
const ALLOWED: Record<string, string> = {
  'test/cli/service-fetch.test.ts': 'a server that answers late',
  'test/git/repository/ref.test.ts': "the resolution of the kernel's clock",
  'test/protocols/host/answer/markdown.test.ts': 'a conversion that takes a while',
}

interface Part {
  tests?: readonly string[]
}

describe('a test of npm test', () => {
  let files: string[]

  before(async () => {
    const url = pathToFileURL(resolve('scripts/tests/parts.js')).href
    const { PARTS } = (await import(url)) as { PARTS: Record<string, Part> }
    const others = Object.values(PARTS).flatMap(({ tests = [] }) => tests)
    const isOther = (file: string) =>
      others.some((path) => (path.includes('*') ? file.endsWith(path.slice(path.indexOf('.'))) : file.startsWith(path)))
    files = readdirSync('test', { recursive: true, encoding: 'utf8' })
      .map((name) => join('test', name))
      .filter((file) => file.endsWith('.test.ts') && !isOther(file))
  })

  it('does not sleep', () => {
    const sleeping = files.filter(
      (file) => SLEEP.test(readFileSync(file, 'utf8')) && file !== 'test/project/clock.test.ts',
    )
    assert.deepEqual(sleeping.toSorted(), Object.keys(ALLOWED).toSorted())
  })
})
