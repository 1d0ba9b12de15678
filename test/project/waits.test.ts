import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { WAITS } from '../../src/admission/waits.js'

/** The rows of the table whose first column is called `Server-Timing`. */
function rowsOfTable(): string[][] {
  const lines = readFileSync('docs/architecture.md', 'utf8').split('\n')
  const begin = lines.findIndex((line) => line.startsWith('| `Server-Timing` |'))
  const rows = lines.slice(begin + 2)
  const end = rows.findIndex((line) => !line.startsWith('|'))
  return rows.slice(0, end).map((row) => row.split(' | '))
}

describe('the table of waits in docs/architecture.md', () => {
  it('has a row for each wait that Server-Timing may name, and no other', () => {
    const names = rowsOfTable().map(([name = '']) => name.replace(/[|` ]/g, ''))
    assert.deepEqual(names.toSorted(), [...WAITS])
  })

  it('gives for each its place, its duration, and the answer to the client', () => {
    for (const row of rowsOfTable()) {
      assert.equal(row.length, 5, row.join())
      for (const cell of row) assert.notEqual(cell.replace(/[| ]/g, ''), '', row.join())
    }
  })
})
