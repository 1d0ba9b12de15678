import assert from 'node:assert/strict'
import type { ServiceError } from '../../../src/model/errors.js'
import { runBatch } from '../../../src/usecases/batch/batch.js'
import { openServiceParts, type ServiceParts } from '../service-parts.js'

describe('a request that costs much', () => {
  let parts: ServiceParts
  before(async () => {
    parts = await openServiceParts()
  })
  after(() => parts.stop())

  it('is refused if a batch edits more than 32 MiB of pages', async () => {
    const html = 'x'.repeat(1024 * 1024)
    const operations = Array.from({ length: 34 }, (_, n) => ({ op: 'putPage', path: `/long/${n}`, html }) as const)
    const { data } = await runBatch(parts.call(), { operations })
    const edits = [{ lines: '1-1', replace: 'y' }]
    const all = data.items.map(({ id }) => ({ op: 'editContent', id, ifMatch: '*', edits }) as const)
    await assert.rejects(runBatch(parts.call(), { operations: all }), (error) => {
      const { errors } = (error as ServiceError).details as { errors: { code: string }[] }
      assert.deepEqual(
        errors.map(({ code }) => code),
        ['too_costly', 'too_costly'],
      )
      return true
    })
  })
})
