import assert from 'node:assert/strict'
import { isSplittable, parseStandbyNames } from '../../../src/nodes/postgres/standbys.js'
import { INVALID_STANDBY_NAMES, STANDBY_NAMES } from './standby-names.js'

describe('the setting synchronous_standby_names', () => {
  for (const { text, count, names } of STANDBY_NAMES)
    it(`is read if it is ${JSON.stringify(text)}`, () => {
      assert.deepEqual(parseStandbyNames(text), { count, names: new Set(names) })
    })

  for (const text of INVALID_STANDBY_NAMES)
    it(`is not read, and counts as unsafe, if it is ${JSON.stringify(text)}`, () => {
      assert.equal(parseStandbyNames(text), undefined)
      assert.ok(isSplittable({ standbyNames: text, connected: [] }))
    })

  const SAFE: [string, ...string[]][] = [
    [''],
    ['  ', 'a', 'b'],
    ['a'],
    ['a', 'a'],
    ['A', 'a', 'b', 'c'],
    ['1 (a)', 'a', 'b'],
    ['FIRST 2 (a, b)', 'a', 'b'],
    ['ANY 2 (a, b)', 'b'],
    ['3 (a, b)', 'a', 'b', 'b'],
    ['ANY 1 (a, A)', 'a'],
  ]
  for (const [standbyNames, ...connected] of SAFE)
    it(`lets a single server accept writes if it is "${standbyNames}" and ${connected.join(', ') || 'nobody'} follows`, () => {
      assert.equal(isSplittable({ standbyNames, connected }), false)
    })

  const SPLITTABLE: [string, ...string[]][] = [
    ['*'],
    ['"*"', 'a'],
    ['2 (*)', 'a', 'b'],
    ['a, b'],
    ['1 (a, b)', 'a'],
    ['FIRST 1 (a, b)', 'a', 'b'],
    ['ANY 1 (a, b)', 'a', 'b'],
    ['ANY 2 (a, b, c)'],
    ['FIRST 2 (a, b, c)', 'a', 'b', 'c'],
    ['a', 'a', 'A'],
    ['2 (a, b)', 'a', 'b', 'b'],
  ]
  for (const [standbyNames, ...connected] of SPLITTABLE)
    it(`lets two servers accept writes if it is "${standbyNames}" and ${connected.join(', ') || 'nobody'} follows`, () => {
      assert.equal(isSplittable({ standbyNames, connected }), true)
    })
})
