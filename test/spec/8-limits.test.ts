import assert from 'node:assert/strict'
import { codeOf, dataOf, freshPath, type Page, publish, useService } from './use-service.js'

describe('§8 limits', () => {
  const service = useService()
  const create = (body: object) => service().api().post('/pages').send(body)
  const pathOf = (length: number) => `/${'a'.repeat(length - 1)}`

  it('a page path has 1 to 2,048 characters: 0 and 2,049 are refused', async () => {
    await create({ path: 'x', html: 'short' }).expect(201)
    const page = dataOf<Page>(await create({ path: pathOf(2048), html: 'long' }).expect(201))
    assert.equal((await service().visit(new URL(page.url).pathname).expect(200)).text, 'long')
    assert.equal(codeOf(await create({ path: pathOf(2049), html: 'x' }).expect(400)), 'invalid_body')
    assert.equal(codeOf(await create({ path: '', html: 'x' }).expect(400)), 'invalid_body')
  })

  it('a page title has up to 255 characters: 256 are refused', async () => {
    await create({ path: freshPath(), html: 'x', title: '😀'.repeat(255) }).expect(201)
    await create({ path: freshPath(), html: 'x', title: 'x'.repeat(256) }).expect(400)
  })

  it('html has at least one character, on create and on replace', async () => {
    await create({ path: freshPath(), html: '' }).expect(400)
    const page = await publish(service(), { html: 'x' })
    assert.equal(
      codeOf(await service().api().put(`/pages/${page.id}/content`).send({ html: '' }).expect(400)),
      'invalid_body',
    )
    assert.equal(codeOf(await service().api().put(`/pages/${page.id}/content`).send({}).expect(400)), 'invalid_body')
    assert.equal((await service().visit(page.path)).text, 'x')
  })

  it('a templateId has at least one character', async () => {
    await create({ path: freshPath(), templateId: '' }).expect(400)
  })

  it('a siteId is a UUID of version 1 to 8 and variant 8 to b in any case, or one of the two special ones', async () => {
    const wellFormed = [
      'F47AC10B-58CC-1372-8567-0E02B2C3D479',
      'f47ac10b-58cc-8372-b567-0e02b2c3d479',
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
    ]
    for (const siteId of wellFormed) {
      assert.equal(codeOf(await create({ path: freshPath(), siteId }).expect(404)), 'site_not_found', siteId)
    }
  })

  it('a siteId of any other form is refused as malformed', async () => {
    const malformed = [
      'urn:uuid:f47ac10b-58cc-4372-a567-0e02b2c3d479',
      'f47ac10b-58cc-9372-a567-0e02b2c3d479',
      'f47ac10b-58cc-4372-c567-0e02b2c3d479',
      'f47ac10b58cc4372a5670e02b2c3d479',
      '',
    ]
    for (const siteId of malformed) {
      assert.equal(codeOf(await create({ path: freshPath(), siteId }).expect(400)), 'invalid_body', siteId)
    }
  })

  it('html may be as long as the configured limit, counted in bytes of UTF-8', async () => {
    const html = 'é'.repeat(5 * 1024 * 1024)
    const page = dataOf<Page>(await create({ path: freshPath(), html }).expect(201))
    assert.equal(page['size'], 10 * 1024 * 1024)
    assert.equal(codeOf(await create({ path: freshPath(), html: `${html}x` }).expect(413)), 'payload_too_large')
  })
})
