import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllRedirects } from '@netlify/redirect-parser'
import * as fc from 'fast-check'
import { parseRedirects } from '../../../src/model/rules/redirects-file.js'

const parse = (text: string) => parseRedirects(Buffer.from(text))

describe('the lines of _redirects', () => {
  const wrong: [what: string, line: string, message: RegExp][] = [
    ['no destination', '/a', /destination is missing/],
    ['no destination but a status', '/a 301', /destination is missing/],
    ['a path without a slash', 'a /b', /must begin with "\/"/],
    ['a path on another host', 'https://example.org/a /b', /must begin with "\/"/],
    ['an unknown status', '/a /b 418', /"418" is not a status/],
    ['words for a status', '/a /b permanent', /"permanent" is not a status/],
    ['a country', '/ /us 302 Country=us', /"Country=us" is a condition/],
    ['a condition for a status', '/ /us Language=en', /"Language=en" is a condition/],
    ['a word after the status', '/a /b 301 302', /"302" has no meaning here: end the rule with its status/],
    ['a role after the status', '/a /b 200! Role=admin', /"Role=admin" is a condition/],
    ['a query after the destination', '/a p=:id /news p=:id 302', /destination's query is written \/news\?p=:id\./],
    ['a query without a status', '/a p=:p q=:q /b p=:p q=:q', /is written \/b\?p=:p&q=:q\./],
    ['a query beside another', '/a q=:q https://b.example/?x=1 302 q=:q', /written https:\/\/b\.example\/\?x=1&q=:q\./],
    ['a parameter without a value', '/a id /b', /"id" is not a query parameter/],
    ['a query in the path', '/a?x=1 /b', /no "\?"/],
    ['an empty segment', '/a//b /c', /no empty segment/],
    ['two splats', '/a/*/b/* /c', /a single "\*"/],
    ['a placeholder twice', '/:a/:a /b', /":a" can stand only once/],
    ['a page of another host in place', '/a/* https://example.org/:splat 200', /other hosts are not shown/],
    ['another host without a scheme', '/a //example.org/', /without a scheme/],
    ['a placeholder for a host', '/a/* https://:splat/', /takes no placeholder/],
    ['a user in a host', '/a/:b https://x@example.org/', /no "@"/],
    ['no URL', '/a https://', /is not a URL/],
    ['an encoding that is none', '/a% /b', /not well encoded/],
    ['a backslash', '/a\\b /b', /not well encoded/],
    ['control characters', '/a\u0000 /b', /invalid UTF-8 or control characters/],
    ['more than 1,000 characters', `/a /${'b'.repeat(1000)}`, /more than 1000 characters/],
  ]
  for (const [what, line, message] of wrong) {
    it(`are skipped one by one, and reported: ${what}`, () => {
      const { rules, wrong: found } = parse(`/first /b\n${line}\n/last /b`)
      assert.deepEqual([rules.map(({ line: at }) => at), found.map(({ line: at }) => at)], [[1, 3], [2]])
      assert.match(found[0]?.message ?? '', message)
    })
  }

  it('are not read from a file in UTF-16, which is reported once', () => {
    const littleEndian = Buffer.from('\ufeff/a /b 301\n/c /d 301\n', 'utf16le')
    for (const bytes of [littleEndian, Buffer.from(littleEndian).swap16()]) {
      const { rules, wrong: found } = parseRedirects(bytes)
      assert.deepEqual([rules.length, found.length], [0, 1])
      assert.match(found[0]?.message ?? '', /UTF-16.*save it as UTF-8/)
    }
  })

  const doubtful: [line: string, message: RegExp][] = [
    ['/a/:b /c/:d', /^":d" is no placeholder of this rule, so it stays as it is/],
    ['/a /c/:splat', /^":splat" is no placeholder/],
    ['/a id=:id /c/:id/:b:?x=:y', /^":b" is no placeholder/],
    ['/cv https://x.sharepoint.com/:w:/g/a 301!', /^":w" is no placeholder/],
  ]
  for (const [line, message] of doubtful) {
    it(`apply with a warning: ${line}`, () => {
      const { rules, wrong: found, warnings } = parse(`/first /b\n${line}`)
      assert.deepEqual([rules.length, found, warnings.map(({ line: at }) => at)], [2, [], [2]])
      assert.match(warnings[0]?.message ?? '', message)
    })
  }

  it('are at most 2,000 for single paths and 100 others', () => {
    const lines = (count: number, from: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => `${from(at)} /to`).join('\n')
    const { rules, wrong: found } = parse(`${lines(2001, (at) => `/a${at}`)}\n${lines(101, (at) => `/a${at}/*`)}`)
    assert.equal(rules.length, 2100)
    assert.deepEqual(
      found.map(({ line }) => line),
      [2001, 2102],
    )
  })

  it("have the same meaning as for Netlify's own parser if both accept them", async () => {
    const folder = mkdtempSync(join(tmpdir(), 'redirects-'))
    after(() => rmSync(folder, { recursive: true }))
    const file = join(folder, '_redirects')
    const word = fc.constantFrom('a', 'b-c', ':id', ':year', 'x.html', 'caf%C3%A9')
    const path = fc.array(word, { maxLength: 3 }).map((words) => `/${words.join('/')}`)
    const from = fc
      .tuple(path, fc.constantFrom('', '/*', '/'))
      .map(([text, end]) => `${text === '/' ? '' : text}${end}` || '/')
    const to = fc.oneof(path, fc.constantFrom('/:splat', '/x?y=:id#z', 'https://example.org/:splat', 'http://a.b'))
    const query = fc.constantFrom('', 'id=:q ', 'id=5 tag=:t ')
    const status = fc.constantFrom('', '301', '302!', '200', '404', '200!', '308', 'Country=us', '# why', '302 # why')
    const space = fc.constantFrom(' ', '   ', '\t')
    const line = fc.tuple(from, space, query, to, space, status).map((parts) => parts.join(''))
    const property = fc.asyncProperty(fc.array(line, { maxLength: 20 }), async (lines) => {
      writeFileSync(file, lines.join('\n'))
      const theirs = await parseAllRedirects({ redirectsFiles: [file], configRedirects: [], minimal: true })
      const ours = parse(lines.join('\n')).rules
      const inFile = new Map(lines.map((text, at) => [at + 1, text]))
      for (const rule of ours) {
        const alike = theirs.redirects.filter((other) => isAlike(rule, other as Theirs))
        assert.ok(alike.length > 0, `${inFile.get(rule.line)} is not among theirs`)
      }
    })
    await fc.assert(property, { numRuns: 100 })
  })
})

interface Theirs {
  from: string
  query?: Record<string, string>
  to: string
  status?: number
  force?: boolean
}

function isAlike(rule: ReturnType<typeof parse>['rules'][number], other: Theirs): boolean {
  return (
    rule.to === other.to &&
    rule.status === (other.status ?? 301) &&
    rule.force === (other.force ?? false) &&
    JSON.stringify(queryOf(rule)) === JSON.stringify(other.query ?? {}) &&
    (rule.from.fixed === undefined || rule.from.fixed === decodeURI(other.from).replace(/\/$/, ''))
  )
}

function queryOf({ query }: ReturnType<typeof parse>['rules'][number]): Record<string, string> {
  return Object.fromEntries([...query].map(([name, part]) => [name, 'text' in part ? part.text : `:${part.name}`]))
}
