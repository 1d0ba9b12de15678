import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { createHostParser, originForm } from '../../src/host/host-name.js'
import { MALFORMED, WELL_FORMED } from './host-fields.js'

describe('the host of a request', () => {
  const parseHost = createHostParser()

  for (const [field, host] of WELL_FORMED) {
    it(`${field} is ${host}`, () => assert.equal(parseHost(['Accept', '*/*', 'hOsT', field], '/'), host))
  }

  for (const field of MALFORMED) {
    it(`is none in ${JSON.stringify(field)}`, () => assert.equal(parseHost(['Host', field], '/'), undefined))
  }

  it('is none without a Host field, and none with two, be they equal', () => {
    assert.equal(parseHost([], '/'), undefined)
    assert.equal(parseHost(['X-Forwarded-Host', 'a.test'], '/'), undefined)
    assert.equal(parseHost(['Host', 'a.test', 'host', 'a.test'], '/'), undefined)
    assert.equal(parseHost(['X-Name', 'Host', 'Host', 'a.test'], '/'), 'a.test', 'a value is no name')
    assert.equal(parseHost(['Host', 'a.test', 'Host', 'a.test'], '/'), undefined, 'known as it is now')
  })

  it('is the one that an absolute target names too', () => {
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
    it(`of ${JSON.stringify(target)} is ${origin ?? 'not there'}`, () => assert.equal(originForm(target), origin))
  }
})
