import assert from 'node:assert/strict'
import { allowsPage, allowsTreePath, isWithinPatterns, parsePathPattern } from '../../../src/model/paths/path-scope.js'

describe('the paths of a key', () => {
  it('are literal, or a folder with its page and all below', () => {
    const patterns = ['/blog/*', '/about']
    for (const page of ['/blog', '/blog/', '/blog/a', '/blog/a/', '/BLOG/x', '/about', '/About'])
      assert.ok(allowsPage(patterns, page), page)
    for (const page of ['/', '/blogs', '/about/', '/about/x', '/docs/blog'])
      assert.ok(!allowsPage(patterns, page), page)
    assert.ok(allowsTreePath(patterns, 'blog/img/logo.svg'))
    assert.ok(allowsTreePath(patterns, 'Blog/index.html'))
    assert.ok(!allowsTreePath(patterns, 'img/logo.svg'))
  })

  it("never include files that act on the whole site, unless listed, nor the service's own files", () => {
    for (const treePath of ['_redirects', '_headers', '404.html']) {
      assert.ok(!allowsTreePath(['/*'], treePath), treePath)
      assert.ok(allowsTreePath([parsePathPattern(`/${treePath}`)], treePath), treePath)
    }
    for (const treePath of ['collections/x.json', '.site.json', '.pages/aa/x.json', '.templates/x.html', '.env'])
      assert.ok(!allowsTreePath(['/*', `/${treePath}`], treePath), treePath)
  })

  it('are canonical, and refused if a star stands elsewhere', () => {
    assert.equal(parsePathPattern('/about.html'), '/about')
    assert.equal(parsePathPattern('/docs/index.html'), '/docs/')
    for (const pattern of ['blog/*', '/*.png', '/a*', '/a/*/b', ''])
      assert.throws(() => parsePathPattern(pattern), { code: 'invalid_path' })
  })

  it('are within wider paths that allow all of them', () => {
    assert.ok(isWithinPatterns(['/blog/a', '/blog/b/*', '/blog/*'], ['/blog/*']))
    assert.ok(isWithinPatterns(['/Blog/A'], ['/blog/*']))
    for (const pattern of ['/*', '/blo/*', '/about', '/_redirects'])
      assert.ok(!isWithinPatterns([pattern], ['/blog/*']))
    assert.ok(!isWithinPatterns(['/_redirects'], ['/*']))
    assert.ok(!isWithinPatterns(['/about/*'], ['/about']))
  })
})
