import assert from 'node:assert/strict'
import { startTestService, type TestService } from '../../support/service.js'

const PAGE = '<title>About us</title><h1>About</h1><p>We <b>print</b>.</p>'
const MARKDOWN = '# About\n\nWe **print**.\n'

describe('hosted pages as Markdown', () => {
  let service: TestService
  let admin: string
  before(async () => {
    service = await startTestService('markdown')
    admin = (await service.mint({ scopes: ['admin'] })).key
    for (const path of ['/about', '/docs/', '/notes.md', '/taken'])
      await service.api().post('/pages').send({ path, html: PAGE }).expect(201)
  })
  after(() => service.stop())

  const turn = (markdown: boolean) =>
    service.api(admin).patch(`/sites/${service.site.id}`).send({ markdown }).expect(200)
  const asking = (path: string, accept = 'text/markdown') => service.visit(path).set('Accept', accept)

  it('are offered only while the site has them switched on', async () => {
    const isHtml = async () => {
      assert.match((await asking('/about')).headers['content-type'] ?? '', /^text\/html/)
      assert.doesNotMatch((await asking('/about')).headers['vary'] ?? '', /Accept(?!-)/)
      await service.visit('/about.md').expect(404)
      await service.visit('/llms.txt').expect(404)
    }
    await isHtml()
    assert.equal((await turn(true)).body.data.markdown, true)
    assert.equal((await asking('/about')).text, MARKDOWN)
    await turn(false)
    await isHtml()
    await turn(true)
  })

  it('are sent if Accept names text/markdown with at least the weight of html', async () => {
    for (const accept of [
      'text/markdown',
      'text/markdown, text/html',
      'text/html;q=0.8, text/markdown;q=0.8',
      '*/*, text/markdown',
    ])
      assert.equal((await asking('/about', accept)).text, MARKDOWN, accept)
    for (const accept of [
      '*/*',
      'text/*',
      'text/html, text/markdown;q=0.9',
      'text/markdown;q=0',
      'text/markdown;q=2',
      '',
    ])
      assert.equal((await asking('/about', accept)).text, PAGE, accept)
    assert.equal((await service.visit('/about')).text, PAGE)
  })

  it('have their own fields: media type, entity tag, canonical link, noindex; both forms vary by Accept', async () => {
    const html = await asking('/about', 'text/html')
    const markdown = await asking('/about').set('Accept-Encoding', 'identity')
    assert.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8')
    assert.match(markdown.headers['etag'] ?? '', /^"[0-9a-f]{40}-md1"$/)
    assert.equal(markdown.headers['x-robots-tag'], 'noindex')
    assert.equal(markdown.headers['link'], '</about>; rel="canonical"')
    for (const { headers } of [html, markdown]) assert.match(headers['vary'] ?? '', /Accept(?!-)/)
    assert.equal(html.headers['x-robots-tag'], undefined)

    const tag = markdown.headers['etag'] ?? ''
    await asking('/about').set('Accept-Encoding', 'identity').set('If-None-Match', tag).expect(304)
    await asking('/about', 'text/html').set('If-None-Match', tag).expect(200)
    const part = await asking('/about').set('Accept-Encoding', 'identity').set('Range', 'bytes=0-6').expect(206)
    assert.equal(part.text, '# About')
    await service.visit('/about').expect(200)
  })

  it('are at <path>.md if the site has nothing else there, and only if their page exists', async () => {
    assert.equal((await service.visit('/about.md').expect(200)).text, MARKDOWN)
    assert.equal((await service.visit('/docs/index.md').expect(200)).text, MARKDOWN)
    assert.equal((await service.visit('/notes.md').expect(200)).text, PAGE)
    assert.equal((await service.visit('/notes.md.md').expect(200)).text, MARKDOWN)
    await service.visit('/nothing.md').expect(404)
    const { body } = await service.api().get('/pages?path=/taken').expect(200)
    const [taken] = body.data as { id: string }[]
    await service.visit('/taken.md').expect(200)
    await service.api().delete(`/pages/${taken?.id}`).expect(200)
    await service.visit('/taken.md').expect(404)
    await asking('/taken').expect(404)
  })

  it('follow their page at once', async () => {
    const made = await service.api().post('/pages').send({ path: '/live', html: '<p>one' }).expect(201)
    assert.equal((await service.visit('/live.md')).text, 'one\n')
    await service
      .api()
      .put(`/pages/${(made.body.data as { id: string }).id}/content`)
      .send({ html: '<p>two' })
      .expect(200)
    assert.equal((await service.visit('/live.md')).text, 'two\n')
    assert.equal((await asking('/live')).text, 'two\n')
  })

  it('are listed by llms.txt with their titles', async () => {
    const { text } = await service.visit('/llms.txt').expect(200)
    assert.match(text, /^# markdown\.localhost/)
    assert.match(text, /^- \[About us\]\(http:\/\/markdown\.\S+\/about\.md\)$/m)
    assert.match(text, /^- \[About us\]\(http:\/\/markdown\.\S+\/docs\/index\.md\)$/m)
  })

  it('are never on hosts of previews and versions', async () => {
    await service.api(admin).patch(`/sites/${service.site.id}`).send({ publicHistory: true }).expect(200)
    const { body } = await service.api().get(`/sites/${service.site.id}/commits?limit=1`).expect(200)
    const [commit] = body.data as { id: string }[]
    const label = `${commit?.id}--markdown`
    const version = await service.visit('/about', label).set('Accept', 'text/markdown')
    assert.match(version.headers['content-type'] ?? '', /^text\/html/)
    await service.visit('/about.md', label).expect(404)
    await service.visit('/llms.txt', label).expect(404)
    const tried = await service.api().put('/pages?path=/about&dryRun=true').send({ html: '<p>tried' }).expect(200)
    const { host } = new URL((tried.body.data as { dryRun: { previewUrl: string } }).dryRun.previewUrl)
    const preview = await service.visit('/about', host.split('.')[0] ?? '').set('Accept', 'text/markdown')
    assert.equal(preview.text, '<p>tried')
  })
})
