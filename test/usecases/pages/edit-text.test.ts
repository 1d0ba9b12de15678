import assert from 'node:assert/strict'
import { array, assert as check, constantFrom, nat, property, string } from 'fast-check'
import { ServiceError } from '../../../src/model/errors.js'
import { editText, sliceLines, type TextEdit } from '../../../src/usecases/pages/edit-text.js'

const POEM = 'one\ntwo\nthree\nfour\n'

function faultsOf(edits: TextEdit[], text = POEM): unknown {
  try {
    editText(text, edits)
  } catch (error) {
    assert.ok(error instanceof ServiceError)
    assert.equal(error.code, 'edit_not_applicable')
    return (error.details as { field: string }[]).map(({ field }) => field)
  }
  return 'none'
}

describe('edits of a text', () => {
  it('refer to the text as it was read, whatever their order', () => {
    const edits = [
      { lines: '3-4', replace: 'end' },
      { find: 'one', replace: '1\n1\n1' },
      { find: 'two\n', replace: '' },
    ]
    assert.equal(editText(POEM, edits), '1\n1\n1\nend\n')
    assert.equal(editText(POEM, edits.toReversed()), '1\n1\n1\nend\n')
  })

  it('keep the line feed of replaced lines, and a missing one at the end', () => {
    assert.equal(editText('a\nb', [{ lines: '1-1', replace: 'A' }]), 'A\nb')
    assert.equal(editText('a\nb', [{ lines: '2-2', replace: 'B' }]), 'a\nB')
    assert.equal(editText('a\nb\n', [{ lines: '1-1', replace: '' }]), 'b\n')
  })

  it('are refused where they match nothing, two places or missing lines, or overlap', () => {
    assert.deepEqual(faultsOf([{ find: 'six', replace: '' }]), ['/edits/0'])
    assert.deepEqual(faultsOf([{ find: 'o', replace: '' }]), ['/edits/0'])
    assert.deepEqual(faultsOf([{ find: 'aa', replace: '' }], 'aaa'), ['/edits/0'])
    assert.deepEqual(faultsOf([{ lines: '4-5', replace: '' }]), ['/edits/0'])
    assert.deepEqual(faultsOf([{ lines: '3-2', replace: '' }]), ['/edits/0'])
    assert.deepEqual(
      faultsOf([
        { lines: '2-3', replace: '' },
        { find: 'three', replace: '3' },
        { find: 'six', replace: '' },
      ]),
      ['/edits/2', '/edits/1'],
    )
    assert.equal(
      faultsOf([
        { lines: '2-2', replace: '' },
        { lines: '3-3', replace: '' },
      ]),
      'none',
    )
  })

  it('replace any lines by any text', () => {
    const lines = array(string({ unit: constantFrom('a', 'é', ' ') }), { minLength: 1, maxLength: 6 })
    check(
      property(lines, nat(), nat(), string({ minLength: 1 }), (all, a, b, text) => {
        const [from = 0, to = 0] = [a % all.length, b % all.length].toSorted((x, y) => x - y)
        const whole = all.map((line) => `${line}\n`).join('')
        const edited = editText(whole, [{ lines: `${from + 1}-${to + 1}`, replace: `${text}\n` }])
        const kept = (part: string[]) => part.map((line) => `${line}\n`).join('')
        assert.equal(edited, `${kept(all.slice(0, from))}${text}\n${kept(all.slice(to + 1))}`)
      }),
    )
  })

  it('refer to lines that can be read by their numbers', () => {
    assert.deepEqual(sliceLines(POEM, '2-3'), { text: 'two\nthree\n', from: 2, to: 3, total: 4 })
    assert.deepEqual(sliceLines(POEM, '4-'), { text: 'four\n', from: 4, to: 4, total: 4 })
    assert.deepEqual(sliceLines('a\nb', '2-9'), { text: 'b', from: 2, to: 2, total: 2 })
    assert.deepEqual(sliceLines(POEM, '9-12'), { text: '', from: 9, to: 4, total: 4 })
  })
})
