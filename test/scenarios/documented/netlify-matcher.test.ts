import assert from 'node:assert/strict'
import { Hosting } from '../../protocols/host/hosting.js'
import { createSnapshots, ORIGIN } from '../../protocols/host/trees.js'
import { compare, NETLIFY_REASONS, reasonOf, type RuledSite } from './netlify-differences.js'
import { theirMatcher } from './netlify-matcher.js'
import { RULES_OF_SITES } from './rules-of-sites.js'
import { filesOf, targetsOf } from './targets-of-rules.js'

const TARGETS = 12

describe("the rules of 50 sites, beside Netlify's own matcher", () => {
  const hosting = new Hosting()
  const found = new Set<string>()
  const sites = new Map<string, RuledSite>()
  const texts = Object.entries(RULES_OF_SITES)

  before(async () => {
    const trees = texts.map(([, text]) => Object.fromEntries(filesOf(text).map((name) => [name, name])))
    const ruled = trees.map((tree, at) => ({ ...tree, _redirects: texts[at]?.[1] ?? '' }))
    const snapshots = await createSnapshots(hosting, 'rules', [...ruled, ...trees])
    for (const [at, [name, text]] of texts.entries()) {
      const [view, bare] = [snapshots[at]!, snapshots[at + texts.length]!].map((snapshot) => ({
        snapshot,
        origin: ORIGIN,
      }))
      sites.set(name, { lines: text.split('\n'), view: view!, bare: bare!, match: await theirMatcher(text) })
    }
  })
  after(() => hosting.stop())

  for (const [name, text] of texts) {
    it(`give the same answers, or a documented one, for ${name}`, () => {
      const targets = targetsOf(text, TARGETS)
      assert.equal(targets.length, TARGETS)
      for (const target of targets) {
        const difference = compare(sites.get(name)!, target)
        if (difference === undefined) continue
        const { ours, theirs } = difference
        const reason = reasonOf(difference)
        assert.ok(reason !== undefined, `${target} is ${ours}, there ${theirs}`)
        found.add(reason)
      }
    })
  }

  it('are 50, and show every documented difference', () => {
    assert.equal(texts.length, 50)
    assert.deepEqual(found, new Set(NETLIFY_REASONS))
  })
})
