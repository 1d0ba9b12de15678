import assert from 'node:assert/strict'
import { searchStreams } from './smuggling.js'

const STREAMS = 150
const SEED = 1

describe('a stream of bytes that begins, frames and hides requests in any way', () => {
  it('is answered only as its own client, and leaves the answers of all others alone', async () => {
    const wrong: string[] = []
    let cases = 0
    const report = {
      begin: () => void cases++,
      miss: () => undefined,
      acknowledge: () => undefined,
      lose: (what: string) => wrong.push(what),
      violate: (what: string) => wrong.push(what),
    }
    await searchStreams(report, { streams: STREAMS, seed: SEED, withProxies: false })
    assert.deepEqual(wrong, [])
    assert.equal(cases, STREAMS)
  })
})
