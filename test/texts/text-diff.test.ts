import assert from 'node:assert/strict'
import { diffTexts } from '../../src/texts/text-diff.js'

describe('the difference of two texts', () => {
  const diff = (before: string, after: string) => diffTexts({ name: 'a', text: before }, { name: 'b', text: after })

  it('is written as diff -u writes it', () => {
    const result = diff('one\ntwo\nthree\n', 'one\n2\nthree')
    assert.equal(
      result?.unified,
      '--- a\n+++ b\n@@ -1,3 +1,3 @@\n one\n-two\n-three\n+2\n+three\n\\ No newline at end of file\n',
    )
    assert.deepEqual(result?.hunks, [
      {
        oldStart: 1,
        oldLines: 3,
        newStart: 1,
        newLines: 3,
        lines: [' one', '-two', '-three', '+2', '+three', '\\ No newline at end of file'],
      },
    ])
  })

  it('has no hunk if they are equal', () => {
    assert.deepEqual(diff('same\n', 'same\n')?.hunks, [])
  })

  it('is made even if the process pauses for longer than the time limit', () => {
    const { now } = Date
    let clock = now()
    Date.now = () => (clock += 200)
    try {
      assert.equal(diff('one\ntwo\n', 'one\n2\n')?.hunks.length, 1)
    } finally {
      Date.now = now
    }
  })
})
