import assert from 'node:assert/strict'
import { findLines } from '../../../src/index/text/find-lines.js'

describe('the lines of a hit', () => {
  const found = (text: string, terms: string[][], isPrefix = false) =>
    findLines(text, { terms, isPrefix }).map(({ line, text: shown, ranges }) => [
      line,
      ...ranges.map(([from, to]) => shown.slice(from, to)),
    ])

  it('have the words of one term side by side', () => {
    const text = 'git --receive-pack\nreceive.denyDeletes = true\nthe pre-receive hook denydeletes'
    assert.deepEqual(found(text, [['receive', 'denydeletes']]), [[2, 'receive', 'denyDeletes']])
    assert.deepEqual(found(text, [['receive', 'deny']], true), [[2, 'receive', 'denyDeletes']])
    assert.deepEqual(found(text, [['receive'], ['hook']]), [
      [1, 'receive'],
      [2, 'receive'],
      [3, 'receive', 'hook'],
    ])
  })

  it('have single words of a term that stands only across lines', () => {
    assert.deepEqual(found('set receive\ndenydeletes now', [['receive', 'denydeletes']]), [
      [1, 'receive'],
      [2, 'denydeletes'],
    ])
  })
})
