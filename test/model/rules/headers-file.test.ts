import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllHeaders } from '@netlify/headers-parser'
import * as fc from 'fast-check'
import { parseHeaders } from '../../../src/model/rules/headers-file.js'

const parse = (text: string) => parseHeaders(Buffer.from(text))

describe('the lines of _headers', () => {
  const refused = [
    ...'Connection Keep-Alive Proxy-Authenticate TE Trailer Transfer-Encoding Upgrade Content-Length'.split(' '),
    ...'Accept-Ranges Content-Range ETag Last-Modified Vary Age Allow Alt-Svc Date Location'.split(' '),
    ...'Server Set-Cookie Set-Cookie2 Clear-Site-Data Service-Worker-Allowed Origin-Agent-Cluster Basic-Auth'.split(
      ' ',
    ),
    ...'X-Accel-Redirect X-Sendfile X-Content-Type-Options Cache-Tag Memento-Datetime WWW-Authenticate'.split(' '),
    // Proxies and caches act on these.
    ...'X-LiteSpeed-Location X-LiteSpeed-Purge X-Reproxy-URL Status Edge-Control CDN-Cache-Control Surrogate-Control'.split(
      ' ',
    ),
    ...'Edge-Cache-Tag xkey X-Key Via Public-Key-Pins X-Forwarded-For X-Cache-Tags Unknown X-Palimpsest-Client-Address'.split(
      ' ',
    ),
  ]
  it('name a coding of br or gzip, in any case, and no other', () => {
    const { rules, wrong } = parse(
      '/*\n  Content-Encoding: BR\n  content-encoding: gzip\n  Content-Encoding: deflate\n',
    )
    assert.deepEqual(
      [rules[0]?.fields.map((field) => field.value), wrong.map(({ line }) => line)],
      [['br', 'gzip'], [4]],
    )
  })

  for (const name of refused) {
    it(`are skipped if they set ${name}, in any case`, () => {
      for (const spelt of [name, name.toLowerCase(), name.toUpperCase()]) {
        const { rules, wrong } = parse(`/*\n  ${spelt}: x\n  X-Frame-Options: DENY\n`)
        assert.deepEqual(
          [rules[0]?.fields.map((field) => field.name), wrong.map(({ line }) => line)],
          [['x-frame-options'], [2]],
        )
      }
    })
  }

  const wrong: [what: string, text: string, line: number, message: RegExp][] = [
    ['a field before any path', '  X-A: b\n/x', 1, /belongs to no path/],
    ['a field without a colon', '/x\n  A b', 2, /"Name: value"/],
    ['a name with a space', '/x\n  A b: c', 2, /not a field name/],
    ['a value that is not ASCII', '/x\n  X-A: é', 2, /ASCII/],
    ['no value', '/x\n  X-A:', 2, /ASCII/],
    ['a whole URL', 'https://example.org/*\n  A: b', 1, /begin with "\/"/],
    ['two splats', '/*/*\n  A: b', 1, /a single "\*"/],
    ['more than 2,000 characters', `/x\n  A: ${'b'.repeat(2000)}`, 2, /more than 2000/],
  ]
  for (const [what, text, line, message] of wrong) {
    it(`are skipped and reported: ${what}`, () => {
      const { wrong: found } = parse(text)
      assert.deepEqual(
        found.map((each) => each.line),
        [line],
      )
      assert.match(found[0]?.message ?? '', message)
    })
  }

  const ownHost: [value: string, kept: string][] = [
    ['max-age=31536000; includeSubDomains; preload', 'max-age=31536000'],
    ['includeSubDomains;max-age="1";', 'max-age="1"'],
    ['MAX-AGE=1; :splat', 'MAX-AGE=1'],
  ]
  for (const [value, kept] of ownHost) {
    it(`bind only the site's own host to https, with a warning: Strict-Transport-Security: ${value}`, () => {
      const { rules, wrong: found, warnings } = parse(`/*\n  Strict-Transport-Security: ${value}`)
      assert.deepEqual(rules[0]?.fields, [{ name: 'strict-transport-security', value: kept }])
      assert.deepEqual([found, warnings.map(({ line }) => line)], [[], [2]])
      assert.match(warnings[0]?.message ?? '', /^Only "max-age=.*" is sent: a site speaks for its own host/i)
    })
  }
  for (const value of ['includeSubDomains', 'max-age=x', 'max-age=1; max-age=2', 'max-age=:splat']) {
    it(`are skipped without one max-age: Strict-Transport-Security: ${value}`, () => {
      const { rules, wrong: found, warnings } = parse(`/*\n  Strict-Transport-Security: ${value}`)
      assert.deepEqual([rules[0]?.fields, warnings], [[], []])
      assert.match(found[0]?.message ?? '', /needs one "max-age=<seconds>"/)
    })
  }

  it('may set fields that browsers use, and private fields', () => {
    const fields = [
      'Strict-Transport-Security: max-age=31536000',
      'Content-Security-Policy: default-src *',
      'Permissions-Policy: camera=()',
      'Access-Control-Allow-Origin: *',
      'X-Frame-Options: DENY',
      'X-Robots-Tag: noindex',
      'X-Clacks-Overhead: GNU Terry Pratchett',
    ]
    const { wrong: found, warnings } = parse(['/*', ...fields.map((field) => `  ${field}`)].join('\n'))
    assert.deepEqual([found, warnings], [[], []])
  })

  it('are at most 100 rules', () => {
    const { rules, wrong: found } = parse(Array.from({ length: 101 }, (_, at) => `/${at}\n  X-A: b\n`).join(''))
    assert.deepEqual([rules.length, found.map(({ line }) => line)], [100, [201]])
  })

  it('may set nosniff, as every answer does, without complaint', () => {
    assert.deepEqual(parse('/*\n  X-Content-Type-Options: nosniff').wrong, [])
  })

  it("have the same meaning as for Netlify's own parser if both accept them", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'headers-'))
    after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, '_headers')
    const path = fc.constantFrom('/', '/*', '/a', '/a/:b/*', '/x.html')
    const field = fc.constantFrom(
      'X-Frame-Options: DENY',
      'Link: </a>; rel=preload',
      'Link:</b>',
      'X-A-B:  c: d  ',
      '# no',
    )
    const block = fc.tuple(path, fc.array(field, { maxLength: 4 }), fc.constantFrom('  ', '\t', ' '))
    // Theirs leaves out a rule that is there twice.
    const property = fc.asyncProperty(
      fc.uniqueArray(block, { maxLength: 6, selector: ([at]) => at }),
      async (blocks) => {
        const text = blocks
          .map(([at, fields, indent]) => [at, ...fields.map((one) => indent + one)].join('\n'))
          .join('\n')
        writeFileSync(file, text)
        const { headers, errors } = await parseAllHeaders({
          headersFiles: [file],
          configHeaders: undefined,
          minimal: true,
        })
        assert.deepEqual(errors, [])
        const theirs = headers.map((rule) => [rule.for, joined(Object.entries(rule.values as Record<string, string>))])
        const { rules } = parse(text)
        const filled = blocks.filter(([, fields]) => fields.some((one) => !one.startsWith('#')))
        const ours = rules
          .filter(({ fields }) => fields.length > 0)
          .map(({ fields }, at) => [filled[at]?.[0], joined(fields.map(({ name, value }) => [name, value ?? '']))])
        assert.deepEqual(ours, theirs)
      },
    )
    await fc.assert(property, { numRuns: 100 })
  })
})

/** Joins repeated fields, by lower-case name. */
function joined(fields: readonly (readonly [string, string])[]): Record<string, string> {
  const all = new Map<string, string>()
  for (const [name, value] of fields) {
    const known = all.get(name.toLowerCase())
    all.set(name.toLowerCase(), known === undefined ? value : `${known}, ${value}`)
  }
  return Object.fromEntries(all)
}
