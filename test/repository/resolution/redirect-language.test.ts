import assert from 'node:assert/strict'
import { after, before, describe, it } from 'mocha'
import * as fc from 'fast-check'
import { RedirectMatcher } from '../../../src/repository/resolution/redirect-matcher.js'
import { type Resolution, resolve } from '../../../src/repository/resolution/resolution.js'
import { parseRedirects, type RedirectRule } from '../../../src/model/rules/redirects-file.js'
import { anyPath, likelyPath } from '../../model/paths/arbitrary-path.js'
import { Hosting } from '../../protocols/host/hosting.js'
import { createSnapshots, ORIGIN } from '../../protocols/host/trees.js'

const NAMES = ['a', 'b', 'ab', 'a.b', 'x-a', 'é']

const segment = fc.constantFrom(...NAMES)
const path = fc
  .tuple(fc.array(segment, { maxLength: 5 }), fc.constantFrom('', '/'))
  .map(([segments, end]) => `/${segments.join('/')}${segments.length === 0 ? '' : end}`)

const pattern = fc
  .array(fc.oneof(segment, fc.constantFrom(':x', ':y', '*', 'a*', '*b', 'x-*a')), { maxLength: 4 })
  .map((segments) => `/${segments.join('/')}`)
const query = fc.constantFrom('', ' x=:q', ' x=1', ' x=1 y=:z')
const destination = fc.oneof(
  path.filter((text) => !text.startsWith('//')),
  fc.constantFrom(
    '/:splat',
    '/a/:splat',
    '/:x',
    '/:y/:x',
    '/b?z=:x',
    '/a#:x',
    'https://example.org/:splat?a=:x',
    'https://demo.example.org/:splat',
    'http://DEMO.example.org/b/:splat',
    'https://demo.example.org./a/./b',
    'https://demo.example.org:443/:y/:x?x=1#:x',
    '/a/../:splat',
    'https:a',
    '/:q',
    '/é ü',
  ),
)
const status = fc.constantFrom('', ' 302', ' 308!', ' 200', ' 200!', ' 404', ' 404!', ' 410')
const rule = fc
  .tuple(pattern, query, destination, status)
  .map(([from, params, to, end]) => `${from}${params} ${to}${end}`)
/** Some lines are no rules at all. */
const line = fc.oneof({ weight: 9, arbitrary: rule }, { weight: 1, arbitrary: fc.string() })
const file = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'))
const target = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: path }, anyPath, likelyPath),
    fc.constantFrom('', '?x=1', '?x=1&y=%C3%A9', '?"<>'),
  )
  .map(
    ([text, search]) =>
      `/${text
        .toWellFormed()
        .replaceAll(/[^\x21-\x7e]/gu, encodeURIComponent)
        .replaceAll(/^\/|[?#]/g, '')}${search}`,
  )

describe('the language of _redirects', () => {
  it('matches like one regular expression for each rule, tried in turn', () => {
    let matches = 0
    const property = fc.property(file, path, fc.constantFrom('', 'x=1', 'x=2', 'y=3&x=1'), (text, pathname, search) => {
      const { rules } = parseRedirects(Buffer.from(text))
      const found = new RedirectMatcher(rules).match(encodeURI(pathname), search)
      const expected = matchNaively(text, rules, pathname, search)
      assert.deepEqual(found && { line: found.rule.line, captures: Object.fromEntries(found.captures) }, expected)
      if (found !== undefined) matches += 1
    })
    fc.assert(property, { numRuns: 2000 })
    assert.ok(matches > 100, `only ${matches} matched`)
  })
})

describe('a site with any rules', () => {
  const hosting = new Hosting()
  const files = fc.sample(file, 60)
  let views: Parameters<typeof resolve>[0][]

  before(async () => {
    const names = ['index.html', 'a.html', 'a/b.html', 'b/index.html', 'x-a', '404.html', 'a/404.html', 'é.html']
    const tree = Object.fromEntries(names.map((name) => [name, name]))
    const made = await createSnapshots(
      hosting,
      'rules',
      files.map((text) => ({ ...tree, _redirects: text })),
    )
    views = made.map((snapshot) => ({ snapshot, origin: ORIGIN }))
  })
  after(() => hosting.stop())

  it('answers any target with a known status, a well-formed location on the named host, and no endless chain', () => {
    const kinds = new Set<string>()
    for (const view of views) {
      for (const asked of fc.sample(target, 40)) {
        let found = resolve(view, asked)
        kinds.add(assertWell(found))
        let next = follow(asked, found)
        for (let hops = 0; next !== undefined; hops++) {
          assert.ok(hops <= 12, `${asked} has no end`)
          found = resolve(view, next)
          next = follow(next, found)
        }
      }
    }
    assert.deepEqual(kinds, new Set(['file', 'redirect']))
  })
})

function assertWell(found: Resolution): string {
  if (found.kind === 'file') assert.ok([200, 404, 410].includes(found.file.status))
  if (found.kind === 'redirect') {
    const { location } = found
    assert.ok([301, 302, 303, 307, 308].includes(found.status))
    assert.match(location, /^[\x21-\x7e]+$/)
    const { host } = new URL(location, ORIGIN)
    const isOther = location.startsWith('https://example.org/')
    assert.match(host, isOther ? /^example\.org$/ : /^demo\.example\.org\.?$/, location)
  }
  return found.kind
}

/** Returns the target that a browser asks the site for next. */
function follow(asked: string, found: Resolution): string | undefined {
  if (found.kind !== 'redirect') return undefined
  const { hostname, pathname, search } = new URL(found.location, ORIGIN + asked)
  return /^demo\.example\.org\.?$/.test(hostname) ? pathname + search : undefined
}

/** Tries the rules in turn. */
function matchNaively(text: string, rules: readonly RedirectRule[], pathname: string, search: string) {
  const given = new Map(new URLSearchParams(search))
  const lines = text.split(/\r\n|[\r\n]/)
  for (const { line: at } of rules) {
    const [source = '', ...rest] = lines[at - 1]!.trim().split(/\s+/)
    const wanted = rest.filter((word) => /^\w=/.test(word)).map((word) => [word.slice(0, 1), word.slice(2)] as const)
    const captures = matchPath(source, pathname)
    if (captures === undefined || (wanted.length > 0 && wanted.length !== given.size)) continue
    if (!wanted.every(([name, value]) => given.has(name) && (value.startsWith(':') || given.get(name) === value)))
      continue
    const named = wanted.filter(([, value]) => value.startsWith(':'))
    return {
      line: at,
      captures: {
        ...captures,
        ...Object.fromEntries(named.map(([name, value]) => [value.slice(1), given.get(name)!])),
      },
    }
  }
  return undefined
}

/** Matches a path. A splat is greedy and may match nothing; a slash at the end of either path is ignored. */
function matchPath(source: string, pathname: string): Record<string, string> | undefined {
  const bare = source.replace(/\/$/, '')
  const escaped = bare.replaceAll('.', '\\.').replaceAll(/(?<=\/):(\w+)(?=\/|$)/g, '(?<$1>[^/]+)')
  const open = bare.endsWith('/*') ? `${escaped.slice(0, -2)}(?:/(?<splat>.*))?` : escaped.replace('*', '(?<splat>.*)')
  const whole = new RegExp(`^${open}$`, 's')
  const withoutSlash = pathname.replace(/\/$/, '')
  const found = (bare.endsWith('*') ? whole.exec(pathname) : null) ?? whole.exec(withoutSlash)
  return found === null ? undefined : mapValues(found.groups ?? {})
}

function mapValues(groups: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, value ?? '']))
}
