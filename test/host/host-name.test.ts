import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { createHostParser, originForm } from '../../src/host/host-name.js'

describe('the host of a request', () => {
  const parseHost = createHostParser()

  const read: [field: string, host: string][] = [
    ['demo.site.test', 'demo.site.test'],
    ['Demo.SITE.test:8080', 'demo.site.test'],
    ['demo.site.test.', 'demo.site.test'],
    ['demo.site.test.:8080', 'demo.site.test'],
    ['localhost', 'localhost'],
    ['127.0.0.1:65535', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['[2001:DB8::7]:8080', '[2001:db8::7]'],
    ['xn--caf-dma.test', 'xn--caf-dma.test'],
    ['my_host.test', 'my_host.test'],
    [`${'a'.repeat(63)}.test`, `${'a'.repeat(63)}.test`],
  ]
  for (const [field, host] of read) {
    it(`${field} is ${host}`, () => assert.equal(parseHost(['Accept', '*/*', 'hOsT', field], '/'), host))
  }

  const malformed = [
    [
      '',
      ' ',
      '.',
      '..',
      ':',
      ':80',
      'a..test',
      '.a.test',
      'a.test..',
      '-a.test',
      'a-.test',
      `${'a'.repeat(64)}.test`,
      'a.'.repeat(128),
    ],
    [
      'a.test:',
      'a.test:80:80',
      'a.test:65536',
      'a.test:123456',
      'a.test:x',
      'a.test:-1',
      'a.test:8 0',
      'a b.test',
      'a.test\t',
      'a,b.test',
    ],
    [
      'x@a.test',
      'x:y@a.test',
      'a.test/../b',
      'a.test/',
      'a.test?',
      'a.test#b',
      'a.test\\b',
      'a%2etest',
      '%61.test',
      'a.test%00',
      'é.test',
    ],
    [
      'http://a.test',
      '//a.test',
      '::1',
      '[::1',
      '::1]',
      '[::1].',
      '[::1]a',
      '[]',
      '[1.2.3.4]',
      '[::g]',
      '[fe80::1%25eth0]',
      '[[::1]]',
    ],
    ['a.test, a.test', "a'.test", 'a;b.test', 'a!.test', '*.test', '<a>.test', '$HOST'],
  ].flat()
  for (const field of malformed) {
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
