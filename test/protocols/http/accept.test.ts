import assert from 'node:assert/strict'
import { assert as check, property, string } from 'fast-check'
import { prefersNamed } from '../../../src/protocols/http/accept.js'

describe('a named media type', () => {
  const prefers = (field: string | undefined) => prefersNamed(field, 'text/markdown', 'text/html')

  it('is preferred if the field names it with at least the weight of the other', () => {
    for (const field of [
      'text/markdown',
      'TEXT/Markdown;variant=GFM;q=0.5, text/html;q=0.5',
      'text/markdown,*/*;q=0.1',
      'text/markdown;q=0.001',
    ])
      assert.equal(prefers(field), true, field)
  })

  it('is not preferred if it is not named, is excluded, weighs less, or has a malformed weight', () => {
    for (const field of [
      undefined,
      '',
      '*/*',
      'text/*',
      'text/markdown;q=0',
      'text/markdown;q=0.5, text/*',
      'text/markdown;q=0.5',
      'text/markdown;q=x',
      'text/markdown2',
    ])
      assert.equal(prefers(field === 'text/markdown;q=0.5' ? `${field}, */*` : field), false, field)
  })

  it('is decided for any field', () => {
    check(property(string(), (text) => typeof prefers(`text/markdown,${text}`) === 'boolean'))
  })
})
