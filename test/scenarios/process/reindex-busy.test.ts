import assert from 'node:assert/strict'
import { startOwnService, type TestService } from '../../support/service.js'
import { runPalimpsest } from '../serve-process.js'

describe('palimpsest reindex while the service is busy', () => {
  let service: TestService

  before(async () => {
    service = await startOwnService()
    for (let page = 0; page < 50; page += 1)
      await service
        .api()
        .post('/pages')
        .send({ path: `/p${page}` })
        .expect(201)
  })
  after(() => service.stop())

  it('succeeds, and every write and read meanwhile is answered', async () => {
    const reindexed = { isOver: false }
    const write = async (writer: number) => {
      let writes = 0
      for (; !reindexed.isOver; writes += 1) {
        const html = `${writer} ${writes}`
        await service
          .api()
          .put(`/pages?path=/w${writer}`)
          .type('html')
          .send(html)
          .expect(writes === 0 ? 201 : 200)
        await service.api().get('/pages?limit=10').expect(200)
      }
      return writes
    }
    const writers = Promise.all(Array.from({ length: 4 }, (_, writer) => write(writer)))
    const { code, stderr } = await runPalimpsest({ DATA_DIR: service.dataDir }, 'reindex').finally(
      () => (reindexed.isOver = true),
    )
    assert.equal(code, 0, stderr)
    assert.ok((await writers).every((writes) => writes > 0))
    const { body } = await service.api().get('/pages?limit=100').expect(200)
    assert.equal(body.data.length, 50 + 4 + 1)
  })
})
