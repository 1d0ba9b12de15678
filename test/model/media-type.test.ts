import assert from 'node:assert/strict'
import { describe, it } from 'mocha'
import { mediaTypeOf } from '../../src/model/media-type.js'

describe('the media type of a file', () => {
  const types: [treePath: string, type: string][] = [
    ['index.html', 'text/html; charset=utf-8'],
    ['a/style.css', 'text/css; charset=utf-8'],
    ['a.b/app.js', 'text/javascript; charset=utf-8'],
    ['app.mjs', 'text/javascript; charset=utf-8'],
    ['app.CJS', 'text/javascript; charset=utf-8'],
    ['people.vcf', 'text/vcard; charset=utf-8'],
    ['logo.svgz', 'image/svg+xml'],
    ['data.json', 'application/json; charset=utf-8'],
    ['logo.SVG', 'image/svg+xml'],
    ['photo.jpeg', 'image/jpeg'],
    ['font.woff2', 'font/woff2'],
    ['app.wasm', 'application/wasm'],
    ['photo.avif', 'image/avif'],
    ['site.webmanifest', 'application/manifest+json; charset=utf-8'],
    ['app.js.map', 'application/json; charset=utf-8'],
    ['.well-known/security.txt', 'text/plain; charset=utf-8'],
    ['src/main.rs', 'text/plain; charset=utf-8'],
    ['setup.py', 'text/plain; charset=utf-8'],
    ['app.properties', 'text/plain; charset=utf-8'],
    ['LICENSE', 'application/octet-stream'],
    ['a.html/LICENSE', 'application/octet-stream'],
    ['x.', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
    ['x.no-such-type', 'application/octet-stream'],
  ]
  for (const [treePath, type] of types) {
    it(`is ${type} for ${treePath}`, () => assert.equal(mediaTypeOf(treePath), type))
  }
})
