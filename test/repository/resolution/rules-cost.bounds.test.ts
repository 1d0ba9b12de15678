import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import { resolve } from '../../../src/repository/resolution/resolution.js'
import type { Snapshot } from '../../../src/repository/reading/snapshot.js'
import { Hosting } from '../../protocols/host/hosting.js'
import { createSnapshots, ORIGIN } from '../../protocols/host/trees.js'

/** Has the most segments that fit into the header section of a request. */
const LONG_PATH = '/a'.repeat(30_000)
const MISSING_SPLATS = Array.from({ length: 96 }, (_, at) => `/*/q${at} /z/:splat`).join('\n')
/** Ten redirects, and on each of them all rules are tried. */
const HOPS = Array.from({ length: 10 }, (_, at) => `/:x/hop-${at} /x/hop-${at + 1}`).join('\n')
const MISSING_QUERIES = Array.from({ length: 90 }, (_, at) => `/* a=${at} /z/:splat`).join('\n')
/** CPU milliseconds of this process, its other threads included, for three requests; each of them took over 100 before. */
const MAX_MORE_CPU_MS = 200

describe('a request to a site with the maximum number of rules', () => {
  const hosting = new Hosting()
  let single: Snapshot
  let splats: Snapshot
  let queries: Snapshot

  before(async () => {
    const rules = [`${MISSING_SPLATS}\n/*/b /b 302`, `${MISSING_QUERIES}\n${HOPS}`]
    const trees = ['/b /c', ...rules].map((text) => ({ 'index.html': 'start', _redirects: text }))
    ;[single, splats, queries] = (await createSnapshots(hosting, 'rules', trees)) as [Snapshot, Snapshot, Snapshot]
    for (const snapshot of [single, splats, queries]) resolve({ snapshot, origin: ORIGIN }, '/')
  })
  after(() => hosting.stop())

  /** CPU milliseconds for three requests, in the best of three rounds: other tests may keep this process busy. */
  function cost(snapshot: Snapshot, target: string): number {
    return Math.min(...[1, 2, 3].map(() => costOnce(snapshot, target)))
  }

  function costOnce(snapshot: Snapshot, target: string): number {
    const start = process.cpuUsage()
    for (let i = 0; i < 3; i++) resolve({ snapshot, origin: ORIGIN }, target)
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }

  it('costs no more than reading its path, for a path of 30,000 segments', () => {
    const found = resolve({ snapshot: splats, origin: ORIGIN }, `${LONG_PATH}/b`)
    assert.deepEqual(found.kind === 'redirect' ? found.location : found.kind, '/b')
    assert.equal(resolve({ snapshot: splats, origin: ORIGIN }, LONG_PATH).kind, 'missing')
    const [took, withOneRule] = [cost(splats, LONG_PATH), cost(single, LONG_PATH)]
    assert.ok(took < 2 * withOneRule + MAX_MORE_CPU_MS, `${took} ms, with one rule ${withOneRule}`)
  })

  it('has its query read once, for any number of rules with parameters', () => {
    const took = cost(queries, `/x/hop-0?${'p=1&'.repeat(1900)}`)
    assert.ok(took < MAX_MORE_CPU_MS, `${took} ms`)
  })
})
