import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { limitRows } from '../../src/admission/limit-table.js'
import { DEFAULT_SIZES } from '../../src/admission/row.js'
import { environmentSchema } from '../../src/processes/config/schema.js'
import { withLimits } from './limits-document.js'

describe('the table of limits', () => {
  it('is in docs/configuration.md as it is in src/admission', () => {
    const document = readFileSync('docs/configuration.md', 'utf8')
    assert.equal(withLimits(document), document, 'run `npm run draw-limits`')
  })

  it('has one row for each name, and names settings that exist', () => {
    const rows = limitRows(DEFAULT_SIZES)
    assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
    for (const { setting } of rows) assert.ok(setting === undefined || setting in environmentSchema.properties, setting)
  })
})
