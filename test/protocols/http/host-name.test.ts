import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { describe, it } from 'mocha'
import { createHostParser, originForm } from '../../../src/protocols/http/host-name.js'
import { MALFORMED, WELL_FORMED } from './host-fields.js'

describe('the host of a request', () => {
  const parseHost = createHostParser()

  for (const [field, host] of WELL_FORMED) {
    it(`is ${host} for ${field}`, () => assert.equal(parseHost(['Accept', '*/*', 'hOsT', field], '/'), host))
  }

  for (const field of MALFORMED) {
    it(`is undefined for ${JSON.stringify(field)}`, () => assert.equal(parseHost(['Host', field], '/'), undefined))
  }

  it('is undefined without a Host field and with two, even equal ones', () => {
    assert.equal(parseHost([], '/'), undefined)
    assert.equal(parseHost(['X-Forwarded-Host', 'a.test'], '/'), undefined)
    assert.equal(parseHost(['Host', 'a.test', 'host', 'a.test'], '/'), undefined)
    assert.equal(parseHost(['X-Name', 'Host', 'Host', 'a.test'], '/'), 'a.test', 'a value is no name')
    assert.equal(parseHost(['Host', 'a.test', 'Host', 'a.test'], '/'), undefined, 'known as it is now')
  })

  it('is defined for an absolute target only if the target names the same authority', () => {
    assert.equal(parseHost(['Host', 'a.test:80'], 'http://A.test:80/x'), 'a.test')
    assert.equal(parseHost(['Host', 'a.test'], 'HTTPS://a.test'), 'a.test')
    for (const target of [
      'http://b.test/',
      'http://a.test:80/',
      'http://x@a.test/',
      'http:///x',
      'http://a.test.evil.test/',
    ]) {
      assert.equal(parseHost(['Host', 'a.test'], target), undefined, target)
    }
  })
})

describe('any text as a host', () => {
  const piece = fc.constantFrom(
    'a',
    'B',
    '0',
    '-',
    '_',
    '.',
    ':',
    '80',
    '65536',
    '[',
    ']',
    '::1',
    '@',
    '/',
    '%2e',
    ' ',
    'é',
  )
  const field = fc.oneof(
    fc.string({ unit: piece, maxLength: 8 }),
    fc.constantFrom(...WELL_FORMED.map(([text]) => text)),
  )
  const parse = (text: string) => createHostParser()(['Host', text], '/')

  it('is undefined, or a name that is its own host, with or without a port and a trailing dot', () => {
    let hosts = 0
    fc.assert(
      fc.property(field, (text) => {
        const host = parse(text)
        if (host === undefined) return
        hosts += 1
        assert.match(host, /^(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])$/)
        const others = host.startsWith('[') ? [] : [`${host}.`, `${host}.:80`]
        for (const same of [host, host.toUpperCase(), `${host}:80`, ...others]) assert.equal(parse(same), host, same)
      }),
      { numRuns: 1000 },
    )
    assert.ok(hosts > 100, `only ${hosts}`)
  })

  it('does not depend on the fields that the parser has read before', () => {
    const remembering = createHostParser()
    fc.assert(
      fc.property(field, (text) => {
        for (let time = 0; time < 2; time++) assert.equal(remembering(['Host', text], '/'), parse(text))
      }),
    )
  })
})

describe('the target of a request in origin form', () => {
  const forms: [target: string, origin: string | undefined][] = [
    ['/', '/'],
    ['/a?b', '/a?b'],
    ['//a.test/b', '//a.test/b'],
    ['*', '*'],
    ['http://a.test', '/'],
    ['http://a.test/b?c', '/b?c'],
    ['HTTP://a.test?c', '/?c'],
    ['ftp://a.test/b', undefined],
    ['a.test:443', undefined],
    ['', undefined],
  ]
  for (const [target, origin] of forms) {
    it(`is ${origin ?? 'undefined'} for ${JSON.stringify(target)}`, () => assert.equal(originForm(target), origin))
  }
})
