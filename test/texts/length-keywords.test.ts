import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { addLengthKeywords } from '../../src/texts/length-keywords.js'

describe('the lengths of texts in a schema', () => {
  const faultsOf = (ajv: Ajv2020, schema: object, text: string) => {
    const validate = ajv.compile(schema)
    return validate(text) ? [] : validate.errors?.map(({ keyword, message, params }) => [keyword, message, params])
  }
  // Pairs of surrogates, halves of them and letters: one character has one or two UTF-16 code units.
  const anyUnits = fc.array(fc.constantFrom('a', '\u{1f600}', '\ud83d', '\ude00'), { maxLength: 12 })

  it('are checked and reported like by Ajv itself', () => {
    const [plain, ours] = [new Ajv2020({ allErrors: true }), addLengthKeywords(new Ajv2020({ allErrors: true }))]
    const bound = fc.nat({ max: 13 })
    fc.assert(
      fc.property(anyUnits, bound, bound, (units, minLength, maxLength) => {
        const schema = { type: 'string', minLength, maxLength }
        assert.deepEqual(faultsOf(ours, schema, units.join('')), faultsOf(plain, schema, units.join('')))
      }),
    )
  })

  it('are checked before a pattern is tried', () => {
    const tried: string[] = []
    const regExp = Object.assign(() => ({ test: (text: string) => tried.push(text) > 0 }), { code: '' })
    const validate = addLengthKeywords(new Ajv2020({ code: { regExp } })).compile({ maxLength: 3, pattern: 'x' })
    assert.deepEqual([validate('four'), validate('one'), tried], [false, true, ['one']])
  })
})
