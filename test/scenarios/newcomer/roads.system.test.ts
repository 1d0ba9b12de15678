// The roads of the documents, walked line by line: each begins where the README's start ends.

import assert from 'node:assert/strict'
import { endProcesses } from '../serve-process.js'
import { blocksOf, type Newcomer, ROADS, startAsNewcomer } from './newcomer.js'

/** The README's start, but for the first terminal, which the place stands for. */
const [FIRST = '', START = ''] = blocksOf('README.md')
/** Text that only a road that did its work prints. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  'README.md': /<h1>About all of us[^]*"name":"books"/,
  'docs/guides/first-collection.md': /<li>Metamorphoses, 8<\/li><li>Frankenstein, 1818<\/li>/,
  'docs/guides/approve-agents.md': /^published\t1\t[^]*<h1>Open from nine/m,
  'docs/bring-your-site/from-netlify.md': /HTTP\/1\.1 301 [^]*location: \/\r\n/i,
  'docs/bring-your-site/from-wordpress.md': /HTTP\/1\.1 301 [^]*location: \/2024\/05\/fair\//i,
}

describe('each road of the documents', () => {
  let place: Newcomer

  beforeEach(async () => (place = await startAsNewcomer()))
  afterEach(async () => {
    await endProcesses()
    place.remove()
  })

  it('begins at a start that the README shows', () => {
    assert.match(FIRST, /^npm ci && npm start\n$/)
    assert.match(START, /^alias palimpsest=/)
  })

  for (const road of ROADS) {
    const blocks = blocksOf(road).filter((block) => block !== FIRST && block !== START)
    if (blocks.length === 0) continue
    it(`can be walked from its first line to its last: ${road}`, async () => {
      const { code, stdout, stderr } = await place.shell([START, ...blocks].join('\n'))
      assert.equal(code, 0, `${stdout}\n${stderr}`)
      assert.doesNotMatch(stdout, /"success":false/)
      assert.match(stdout, PRINTS[road] ?? /./)
    })
  }
})
