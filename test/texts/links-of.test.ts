import assert from 'node:assert/strict'
import { linksOf } from '../../src/texts/links-of.js'

describe('the links of a page', () => {
  const links = (html: string, path = '/docs/a') => [...linksOf(Buffer.from(html), path).paths.keys()]

  it('are the addresses on the same site, relative to the page, each once', () => {
    const html = `<a href=b>b</a> <A HREF='/c?q#f'>c</A> <img src="../d.png"> <a href="/c">again</a>
      <a href="https://elsewhere.example/x">away</a> <a href="mailto:a@b.example">mail</a> <link rel=x href=//other.example/y>`
    assert.deepEqual(links(html), ['/docs/b', '/c', '/d.png'])
  })

  it('are read as a browser reads attributes: entities decoded, the first of two counts, any case', () => {
    assert.deepEqual(links('<a href="/a&amp;b&#47;c">'), ['/a&b/c'])
    assert.deepEqual(links('<a title="href=/no" HREF=/yes href=/no>'), ['/yes'])
    assert.deepEqual(links('<a href>self</a><a href="http://[">broken</a>'), [])
  })

  it('are not found in comments, scripts, texts and closing tags', () => {
    assert.deepEqual(links('<!-- <a href=/no> --><script>"<a href=/no>"</script>&lt;a href=/no&gt;</a href=/no>'), [])
    assert.deepEqual(links('<script src=/yes>"<a href=/no>"</script>'), ['/yes'])
  })

  it('are incomplete past a megabyte, and past 5,000 addresses', () => {
    const whole = linksOf(Buffer.from(`<a href=/a>${' '.repeat(1024)}`), '/')
    assert.equal(whole.isComplete, true)
    const long = linksOf(Buffer.from(`${' '.repeat(1024 * 1024)}<a href=/a>`), '/')
    assert.deepEqual([long.paths.size, long.isComplete], [0, false])
    const many = linksOf(Buffer.from(Array.from({ length: 6_000 }, (_, n) => `<a href=/${n}>`).join('')), '/')
    assert.deepEqual([many.paths.size, many.isComplete], [5_000, false])
  })
})
