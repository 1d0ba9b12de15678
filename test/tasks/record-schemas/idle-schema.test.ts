import assert from 'node:assert/strict'
import { idleFault } from '../../../src/tasks/record-schemas/idle-schema.js'
import { startTestService } from '../../support/service.js'

describe('a schema that checks nothing', () => {
  it('is told from one that checks, describes or is empty', () => {
    const field = (schema: object) => idleFault(schema)?.field
    assert.equal(field({ title: 'string', when: 'date' }), '/when')
    assert.equal(field({ year: { type: 'integer' } }), '/year')
    for (const schema of [
      {},
      { title: 'Books' },
      { type: 'object', 'x-note': 1, year: 1 },
      { 'x-note': 1 },
      { $defs: {} },
    ])
      assert.equal(field(schema), undefined, JSON.stringify(schema))
  })

  it('is refused with a schema that would check', async () => {
    const service = await startTestService()
    const schema = { title: 'string', when: 'date' }
    const { body } = await service.api().post('/collections').send({ name: 'idle', schema }).expect(400)
    await service.stop()
    const { error } = body as { error: { code: string; message: string } }
    assert.equal(error.code, 'invalid_schema')
    assert.match(error.message, /\/when is no keyword of JSON Schema.*"properties": \{"when": \{"type": "string"\}\}/)
  })
})
