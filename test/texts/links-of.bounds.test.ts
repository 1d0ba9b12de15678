import assert from 'node:assert/strict'
import { linksOf, linksOfCss } from '../../src/texts/links-of.js'
import { processorMs } from '../tasks/analysis/processor-time.js'

describe('the links of a page', () => {
  const links = (html: string, path = '/docs/a') => [...linksOf(Buffer.from(html), path).paths.keys()]

  it('are found in linear time, for any nesting', () => {
    const nested = `${'<div>'.repeat(200_000)}<a href=/end>`
    const took = processorMs(() => assert.deepEqual(links(nested), ['/end']))
    // The parser of the same library needs some 7 s for it.
    assert.ok(took < 1_500, `${took} ms`)
  })

  it('are found in linear time in attributes and style sheets, also unfinished ones', () => {
    const parts = [
      '/*',
      'url(',
      'url("',
      "@import '",
      '@import ',
      ' ',
      ',',
      ', ',
      '\\',
      '"',
      "'",
      '@import url(\n',
      '#',
      'x ,',
    ]
    for (const part of parts) {
      const long = part.repeat(1_000_000 / part.length)
      const quoted = long.replaceAll('"', "'")
      const took = processorMs(() => {
        linksOfCss(Buffer.from(long), '/')
        linksOf(Buffer.from(`<style>${long}`), '/')
        linksOf(Buffer.from(`<p style="${quoted}"><img srcset="${quoted}">`), '/')
      })
      assert.ok(took < 1_500, `${JSON.stringify(part)}: ${took} ms`)
    }
  })
})
