import assert from 'node:assert/strict'
import { diffTexts } from '../../src/texts/text-diff.js'
import { processorMs } from '../tasks/analysis/processor-time.js'

describe('the difference of two texts', () => {
  const diff = (before: string, after: string) => diffTexts({ name: 'a', text: before }, { name: 'b', text: after })

  it('stops early if they are too different', () => {
    const lines = (mark: string) => Array.from({ length: 60_000 }, (_, i) => `${mark}${i * 7}`).join('\n')
    const [before, after] = [lines('a'), lines('b')]
    const took = processorMs(() => assert.equal(diff(before, after), undefined))
    assert.ok(took < 1_000, `${took} ms`)
  })
})
