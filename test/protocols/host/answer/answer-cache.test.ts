import assert from 'node:assert/strict'
import { AnswerCache } from '../../../../src/protocols/host/answer/answer-cache.js'
import type { PreparedAnswer } from '../../../../src/protocols/host/answer/representation.js'
import type { SiteView } from '../../../../src/protocols/host/views/site-view.js'

const MANY_BYTES = 1024 * 1024
/** Room for two answers. */
const FEW_BYTES = 8 * 5_000

describe('the cache of answers', () => {
  it('gives no view the answer of another one', () => {
    const cache = new AnswerCache(MANY_BYTES)
    const views = [viewOf('own', 1), viewOf('own', 2), viewOf('past', 1), viewOf('past', 2)]
    for (const view of views) {
      assert.equal(cache.get(view, '/'), undefined)
      const answer = answerOf()
      cache.keep(view, '/', answer)
      assert.equal(cache.get(view, '/'), answer)
    }
    assert.deepEqual(
      views.map((view) => cache.get(view, '/') !== undefined),
      [false, true, true, true],
    )
  })

  it('keeps one answer for a URL on the own host of a site, however often the site changes', () => {
    const cache = new AnswerCache(FEW_BYTES)
    const other = answerOf()
    const still = viewOf('own', 0, 'another-site')
    cache.keep(still, '/', other)
    for (let commit = 1; commit <= 10; commit++) cache.keep(viewOf('own', commit), '/', answerOf())
    assert.equal(cache.get(still, '/'), other)
  })
})

function viewOf(host: 'own' | 'past', commit: number, id = 'site'): SiteView {
  const site = { id, slug: id }
  const origin = 'http://site.localhost'
  const toRead = { site, origin, head: String(commit), generates: true, markdown: false, search: false }
  const view = { site, commit: String(commit), toRead, origin, fields: {} }
  return host === 'past' ? view : { ...view, sitemap: { files: async () => assert.fail() } }
}

function answerOf(): PreparedAnswer {
  const content = { siteId: 'site', treePath: 'index.html', oid: '', status: 200, fields: {} }
  return { content, isProvisional: false } as unknown as PreparedAnswer
}
