import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import { makePreviewLabel } from '../../../src/model/hosts/preview-label.js'
import { parseSlug } from '../../../src/model/hosts/slug.js'
import { linkLabelOf, versionLabelOf } from '../../../src/model/hosts/version-label.js'

describe('a slug', () => {
  it("is the label of no preview, and of no site's past", () => {
    const links = fc.uuid().map(linkLabelOf)
    const labels = fc.oneof(
      links,
      fc
        .tuple(fc.uuid(), fc.stringMatching(/^[a-z0-9-]{1,20}$/))
        .map(([id, slug]) => versionLabelOf({ commit: id.replaceAll('-', ''), slug })),
      fc.stringMatching(/^[0-9a-f]{0,4}$/).map(makePreviewLabel),
    )
    fc.assert(fc.property(labels, (label) => assert.throws(() => parseSlug(label))))
    fc.assert(fc.property(links, (label) => assert.throws(() => parseSlug(label), { code: 'reserved_slug' })))
  })

  for (const slug of ['a', '7', 'demo', 'my-site-2', 'x'.repeat(40), 'apis', 'ns-1', 'a-b-c']) {
    it(`may be ${slug}`, () => assert.equal(parseSlug(slug), slug))
  }

  const malformed = [
    '',
    '-a',
    'a-',
    '-',
    'a--b',
    'xn--caf-dma',
    'Demo',
    'a.b',
    'a_b',
    'a b',
    'é',
    'a\n',
    'x'.repeat(41),
    '..',
    'a/b',
  ]
  for (const slug of malformed) {
    it(`may not be ${JSON.stringify(slug)}`, () =>
      assert.throws(() => parseSlug(slug), { code: 'invalid_slug', message: /1 to 40 lower-case letters/ }))
  }

  for (const [name, slug] of [
    ['Chess Club', 'chess-club'],
    ['  Élan_2026! ', 'elan-2026'],
    ['word '.repeat(9), 'word-word-word-word-word-word-word-word'],
  ] as const) {
    it(`is proposed for ${JSON.stringify(name)}`, () =>
      assert.throws(() => parseSlug(name), {
        message: new RegExp(`"${slug}" would do`),
        details: { suggestion: slug },
      }))
  }

  for (const name of ['שחמט', '!', 'WWW']) {
    it(`is not proposed for ${JSON.stringify(name)}`, () =>
      assert.throws(() => parseSlug(name), { code: 'invalid_slug', details: undefined }))
  }

  for (const slug of [
    'www',
    'api',
    'app',
    'admin',
    'mail',
    'mcp',
    'static',
    'status',
    'localhost',
    'wpad',
    'ns1',
    'mx20',
  ]) {
    it(`may not be the reserved name ${slug}`, () =>
      assert.throws(() => parseSlug(slug), { code: 'reserved_slug', message: /choose another/ }))
  }
})
