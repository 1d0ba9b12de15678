import assert from 'node:assert/strict'
import { startTestService, type TestService } from '../../support/service.js'
import { connectHttp, textOf } from './clients.js'

describe('the tool search_pages', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
  })
  after(() => service.stop())

  it('shows the line to read and change in a few words, even for a very long page', async () => {
    const filler = '<p>Nothing of interest here.</p>\n'.repeat(4_000)
    const html = `<title>Manual</title>\n${filler}<p>Set receive.denyDeletes "now".\u2028End of page-content</p>\n${filler}`
    await service.api().post('/pages').send({ path: '/manual', html }).expect(201)
    const client = await connectHttp(service.origin, service.key, 'modern')
    const said = textOf(await client.callTool({ name: 'search_pages', arguments: { q: 'receive.denyDeletes' } }))
    assert.match(said, /^\/manual "Manual"\n  line 4002: "Set receive\.denyDeletes .*"$/)
    assert.ok(said.length < 400)
    const place = textOf(
      await client.callTool({ name: 'get_page', arguments: { id: '/manual', find: 'receive.denyDeletes' } }),
    )
    assert.match(
      place,
      /^\/manual published .*\nFound 1 time:\n  line 4002, chars=\d+-\d+: "<p>Set receive\.denyDeletes .*"$/,
    )
    assert.ok(place.length < 600)
    const none = textOf(await client.callTool({ name: 'search_pages', arguments: { q: 'nowhere' } }))
    assert.equal(none, 'None.')
    await client.close()
  })
})
