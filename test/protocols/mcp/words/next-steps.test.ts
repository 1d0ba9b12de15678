import assert from 'node:assert/strict'
import { nextStep } from '../../../../src/protocols/mcp/text/next-steps.js'
import { ERROR_STATUS } from '../../../../src/protocols/api/routes/error-status.js'
import { TOOLS } from '../../../../src/protocols/mcp/tools/tool-table.js'

describe('next steps', () => {
  const details = [undefined, { scope: 'admin' }, { ids: ['a'] }, { count: 3 }, { errors: [] }]

  it('name only tools that exist', () => {
    const names = new Set(TOOLS.map(({ name }) => name))
    for (const code of Object.keys(ERROR_STATUS))
      for (const given of details)
        for (const [word] of nextStep(code, given).matchAll(/\b[a-z]+_[a-z_]+\b/g))
          assert.ok(names.has(word), `${code}: ${word}`)
  })

  it('follow the details of the refusal', () => {
    assert.match(nextStep('insufficient_scope', { scope: 'admin' }), /"admin"/)
    assert.match(nextStep('ambiguous_id', { ids: ['a', 'b'] }), /details\.ids/)
    assert.match(nextStep('ambiguous_id', { siteIds: ['a', 'b'] }), /siteId/)
    assert.match(nextStep('edit_not_applicable', { count: 19 }), /count=19/)
    assert.match(nextStep('edit_not_applicable', []), /exactly once/)
    assert.equal(nextStep('constructor', {}), nextStep('no_such_code', undefined))
  })

  it('ask nobody to correct what is no fault of the call', () => {
    for (const code of ['internal', 'storage_failed', 'storage_full', 'disk_reserve', 'site_unreadable'])
      assert.match(nextStep(code, undefined), /tell the user/)
  })
})
