import assert from 'node:assert/strict'
import { startTestService, type TestService } from '../../../support/service.js'
import { ASKS_FOR_DATA, connectHttp, connectStdio, programData, textOf } from '../clients.js'
import { connectOlder } from '../older-clients.js'

describe('the data of an answer for programs', () => {
  let service: TestService
  before(async () => (service = await startTestService()))
  after(() => service.stop())

  it('is sent only if the request asks for it, with a success as with a refusal', async () => {
    const { origin, key } = service
    for (const client of [
      await connectHttp(origin, key, 'modern'),
      await connectHttp(origin, key, 'legacy'),
      await connectStdio({ BASE_URL: origin, SERVICE_API_TOKEN: key }, 'modern'),
      await connectOlder('1.12.0', { origin, key, transport: 'http' }),
    ]) {
      for (const call of [
        { name: 'list_pages', arguments: {} },
        { name: 'get_page', arguments: { id: '/nowhere' } },
      ]) {
        const plain = (await client.callTool(call))._meta ?? {}
        assert.deepEqual(
          Object.keys(plain).filter((name) => name.startsWith('palimpsest/')),
          [],
        )
        const asked = (await client.callTool({ ...call, _meta: ASKS_FOR_DATA }))._meta ?? {}
        assert.equal(Object.keys(asked).filter((name) => name.startsWith('palimpsest/')).length, 1)
      }
      await client.close()
    }
  })

  it('has ids and URLs, which a list of pages leaves out of its text', async () => {
    const client = await connectHttp(service.origin, service.key, 'modern')
    const listed = await client.callTool({ name: 'list_pages', arguments: {}, _meta: ASKS_FOR_DATA })
    await client.close()
    assert.match(textOf(listed), /^\/ published version=1 etag="[0-9a-f]{40}" "[^"]*"$/m)
    const { data } = programData<{ data: { id: string; url: string }[] }>(listed)
    assert.ok(data.every(({ id, url }) => id.length === 36 && url.startsWith('http')))
  })
})
