import assert from 'node:assert/strict'
import { ServiceError } from '../../../../src/model/errors.js'
import { Hosting } from '../hosting.js'

const FILES = {
  'about.html': '<h1>About</h1>',
  'file.md.html': 'page',
  'asset.md': 'asset',
  'asset.html': '<p>page',
  _redirects: '/ruled.md /about 302\n',
  'ruled.html': '<p>ruled',
  _headers: '/about\n  X-Mine: yes\n  Content-Type: text/plain\n',
}

describe('pages of a site with Markdown', () => {
  let hosting: Hosting
  let reads: number
  let refusal: Error | undefined
  before(async () => {
    const readMarkdown = async () => {
      reads += 1
      await new Promise((resolve) => setTimeout(resolve, 20))
      if (refusal !== undefined) throw refusal
      return '# Markdown\n'
    }
    hosting = new Hosting({ readMarkdown })
    await hosting.start()
    await hosting.createSite('demo', FILES, true)
  })
  beforeEach(() => {
    reads = 0
    refusal = undefined
  })
  after(() => hosting.stop())

  const ask = (target: string, accept?: string) =>
    hosting.ask('demo', target, accept === undefined ? {} : { Accept: accept })

  it('are sent as HTML, not as 503, if the conversion is refused, and are converted again by the next request', async () => {
    refusal = new ServiceError('queue_full', 'Too much work waits.')
    for (const answer of [await ask('/about', 'text/markdown'), await ask('/about.md')])
      assert.deepEqual([answer.status, answer.body.toString()], [200, '<h1>About</h1>'])
    refusal = undefined
    assert.equal((await ask('/about.md')).body.toString(), '# Markdown\n')
  })

  it('are converted once for all requests, at the same time and later', async () => {
    hosting.commit('demo', { 'about.html': '<h1>New</h1>' })
    await Promise.all(Array.from({ length: 5 }, () => ask('/about', 'text/markdown')))
    await ask('/about.md')
    assert.equal(reads, 1)
  })

  it("keep the site's header fields except the media type", async () => {
    const { headers } = await ask('/about', 'text/markdown')
    assert.deepEqual([headers['x-mine'], headers['content-type']], ['yes', 'text/markdown; charset=utf-8'])
  })

  it('give way to an existing file, page or rule at the URL of their Markdown', async () => {
    assert.equal((await ask('/asset.md')).body.toString(), 'asset')
    assert.equal((await ask('/file.md')).body.toString(), 'page')
    assert.equal((await ask('/ruled.md')).status, 302)
  })
})
