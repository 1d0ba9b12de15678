import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { parseSlug } from '../../../src/model/hosts/slug.js'

describe('a slug', () => {
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
