import assert from 'node:assert/strict'
import { assert as check, constantFrom, oneof, property, string } from 'fast-check'
import { isWebOrigin } from '../../../src/model/hosts/web-origin.js'

describe('the origin of a web page', () => {
  for (const origin of [
    'https://app.example',
    'http://localhost:5173',
    'https://app.example:8443',
    'http://[::1]:3000',
  ])
    it(`may be ${origin}`, () => assert.ok(isWebOrigin(origin)))

  for (const text of [
    'null',
    '*',
    'https://*.example',
    'https://app.example/',
    'https://app.example:443',
    'https://App.example',
    'https://app.example/path',
    'https://user@app.example',
    'file://',
    'chrome-extension://abc',
    'app.example',
    'https://app.example, https://b.example',
  ])
    it(`is not ${text}`, () => assert.ok(!isWebOrigin(text)))

  it('is one that a browser sends: its own parser gives the same text', () => {
    const pieces = constantFrom(
      'https://app.example',
      'http://',
      '@',
      '.',
      '/',
      ':',
      '443',
      '%2e',
      '\u3002',
      'é',
      ' ',
      '\t',
    )
    const text = oneof(
      string(),
      pieces.chain((head) => string().map((tail) => head + tail)),
    )
    check(
      property(text, (candidate) => {
        if (isWebOrigin(candidate)) assert.match(candidate, /^https?:\/\/[^/?#@\s\\]+$/)
      }),
    )
  })
})
