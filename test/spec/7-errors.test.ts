import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { ERROR_STATUS } from '../../src/protocols/api/routes/error-status.js'
import { type ErrorCode, isTrouble } from '../../src/model/errors.js'
import { environmentSchema } from '../../src/processes/config/schema.js'
import { codeOf, freshPath, UNKNOWN_ID, useService } from './use-service.js'

/** Tests run from the project's root, as npm does. */
const read = (file: string) => readFileSync(file, 'utf8')

describe('§7 errors', () => {
  const service = useService()

  it('every refusal has a code, a sentence and the id of its request', async () => {
    const answer = await service().api().get(`/pages/${UNKNOWN_ID}`).set('X-Request-Id', 'mine-1').expect(404)
    const body = answer.body as { success: boolean; error: { code: string; message: string; requestId: string } }
    assert.equal(body.success, false)
    assert.equal(body.error.code, 'page_not_found')
    assert.ok(body.error.message.length > 10)
    assert.equal(body.error.requestId, 'mine-1')
    assert.equal(answer.headers['x-request-id'], 'mine-1')
  })

  it('checks run in the order key, header, workspace or site, scope, media type, body, resource', async () => {
    const reader = await service().mint({ scopes: ['read'] })
    const put = (key: string) => service().api(key).put(`/pages/${UNKNOWN_ID}/content`)
    assert.equal(codeOf(await put('').set('x-service-site-id', 'bad').send({}).expect(401)), 'unauthenticated')
    assert.equal(codeOf(await put(reader.key).set('x-service-site-id', 'bad').send({}).expect(400)), 'invalid_header')
    const unknownSite = await put(reader.key).set('x-service-site-id', UNKNOWN_ID).send({}).expect(404)
    assert.equal(codeOf(unknownSite), 'site_not_found')
    assert.equal(codeOf(await put(reader.key).type('form').send('x').expect(403)), 'insufficient_scope')
    assert.equal(codeOf(await put(service().key).type('form').send('x').expect(415)), 'unsupported_media_type')
    assert.equal(codeOf(await put(service().key).send({}).expect(400)), 'invalid_body')
    assert.equal(codeOf(await put(service().key).send({ html: 'x' }).expect(404)), 'page_not_found')
  })

  it('a body over the limit is refused while it is still being sent', async () => {
    const body = { path: freshPath(), html: 'x'.repeat(11 * 1024 * 1024) }
    assert.equal(codeOf(await service().api().post('/pages').send(body).expect(413)), 'payload_too_large')
    const answer = await service().api().get('/me').expect(200)
    assert.equal(answer.status, 200)
  })

  it('docs/errors.md lists every code with its status', () => {
    const text = read('docs/errors.md')
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      assert.match(text, new RegExp(`^\\| \`${code}\` \\| ${status} \\|`, 'm'), code)
    }
  })

  it('a code counts as a failure of the service exactly if its status is a 5xx', () => {
    for (const [code, status] of Object.entries(ERROR_STATUS)) {
      assert.equal(isTrouble(code as ErrorCode), status >= 500, code)
    }
  })

  it('docs/configuration.md names every variable', () => {
    const text = read('docs/configuration.md')
    for (const name of Object.keys(environmentSchema.properties))
      assert.match(text, new RegExp(`^\\| \`${name}\` \\|`, 'm'), name)
  })
})
