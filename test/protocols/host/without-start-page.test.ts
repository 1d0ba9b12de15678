import assert from 'node:assert/strict'
import { startTestService, type TestService } from '../../support/service.js'

describe('the start of an empty site', () => {
  let service: TestService
  let slug: string

  before(async () => {
    service = await startTestService()
    ;({ slug } = (await service.inNewWorkspace()).site)
  })
  after(() => service.stop())

  it('is not found, and leads its people to the dashboard', async () => {
    const { text } = await service.visit('/', slug).expect(404)
    assert.match(text, /<main>\n<h1>/)
    assert.match(text, new RegExp(`<a href="http://[^"/]+/sites/${slug}/new">`))
  })

  it('is what its other addresses lead to', async () => {
    const { text } = await service.visit('/missing', slug).expect(404)
    assert.match(text, /<a href="\/">/)
    assert.doesNotMatch(text, /dashboard/)
  })
})
