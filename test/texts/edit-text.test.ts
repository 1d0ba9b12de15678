import assert from 'node:assert/strict'
import { array, assert as check, constantFrom, nat, property, string } from 'fast-check'
import { ServiceError } from '../../src/model/errors.js'
import type { TextEdit } from '../../src/texts/edit-places.js'
import { editText } from '../../src/texts/edit-text.js'

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
  it('refer to the text as it was read, in any order', () => {
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

  it('are refused if they match nothing, two places or missing lines, or overlap', () => {
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

  it('find text whose line ends differ from those of the page, and keep those of the page', () => {
    const windows = POEM.replaceAll('\n', '\r\n')
    const edits = [{ find: 'two\nthree', replace: '2\n2b\n3' }]
    assert.equal(editText(windows, edits), 'one\r\n2\r\n2b\r\n3\r\nfour\r\n')
    assert.equal(editText(POEM, [{ find: 'two\r\nthree', replace: '2\r\n3' }]), 'one\n2\n3\nfour\n')
    assert.equal(editText(windows, [{ lines: '1-1', replace: '1\n1' }]), windows.replace('one', '1\r\n1'))
    assert.equal(editText('a\r\nb\nc', [{ find: 'c', replace: 'x\r\ny\nz' }]), 'a\r\nb\nx\r\ny\nz')
    assert.equal(editText('(a+b)*\\n', [{ find: '(a+b)*\\n', replace: '$&' }]), '$&')
  })

  it('are refused with the number and lines of the matches, or the place with other white space', () => {
    const message = (text: string, find: string) => {
      try {
        return editText(text, [{ find, replace: '' }])
      } catch (error) {
        return (error as ServiceError).message
      }
    }
    assert.match(message(POEM, 'o'), /edit 0 is found 3 times, at lines 1, 2, 4: /)
    assert.match(message('ab\n'.repeat(20), 'ab'), /20 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …: /)
    assert.match(message('x'.repeat(3000), 'xx'), /at least 1000 times/)
    assert.match(message('\n<p>Hello   to\n  you</p>', 'Hello to you'), /line 2 has it with other white space/)
    assert.match(message(POEM, 'six'), /is not found: read it again and copy the text exactly\.$/)
  })
})
