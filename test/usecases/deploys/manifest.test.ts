import assert from 'node:assert/strict'
import { type Manifest, parseManifest } from '../../../src/usecases/deploys/manifest.js'

const LIMITS = { maxHtmlBytes: 1_000_000, maxFileBytes: 1_000_000, maxDeployBytes: 1_000_000_000 }

function manifestOf(count: number): Manifest {
  const names = Array.from({ length: count }, (_, at) => `folder-${at % 100}/page-${at}.html`)
  return Object.fromEntries(names.map((name, at) => [name, { oid: at.toString(16).padStart(40, '0'), size: 10 }]))
}

describe('the manifest of a deploy', () => {
  it('does not block other requests while its 20,000 files are checked', async () => {
    let turns = 0
    let isOver = false
    const takeTurn = () => {
      turns += 1
      if (!isOver) setImmediate(takeTurn)
    }
    setImmediate(takeTurn)
    const { files } = await parseManifest(manifestOf(20_000), LIMITS, () => undefined)
    isOver = true
    assert.equal(files.length, 20_000)
    assert.ok(turns > 50, `${turns} turns`)
  })
})
