import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describeFault } from '../../src/model/schema-fault.js'

describe('a value that does not fit its schema', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)

  for (const [schema, value, expected] of [
    [{ minLength: 1 }, '', 'is empty'],
    [{ minLength: 3 }, 'ab', 'is shorter than 3 characters'],
    [{ maxLength: 2 }, 'abc', 'is longer than 2 characters'],
    [{ minItems: 1 }, [], 'is empty'],
    [{ maxItems: 1 }, [1, 2], 'has more than 1 entries'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, 'has more than 1 fields'],
    [{ minimum: 1 }, 0, 'is less than 1'],
    [{ maximum: 1000 }, 1001, 'is greater than 1000'],
    [{ exclusiveMinimum: 0 }, 0, 'must be greater than 0'],
    [{ multipleOf: 5 }, 7, 'must be a multiple of 5'],
    [{ type: 'string' }, 7, 'must be a string'],
    [{ type: ['integer', 'null'] }, 'x', 'must be an integer or null'],
    [{ const: true }, false, 'must be true'],
    [{ enum: ['open', 'closed'] }, 'ajar', 'must be one of "open", "closed"'],
    [{ format: 'uuid' }, 'x', 'must be a UUID'],
    [{ format: 'ipv4' }, 'x', 'must be of the format "ipv4"'],
    [{ pattern: '^a$' }, 'x', 'must match the pattern ^a$'],
    [{ uniqueItems: true }, [1, 2, 1], 'holds the same entry twice: 0 and 2'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'also needs the field "b"'],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 3, 'fits more than one of the allowed forms'],
    [{ oneOf: [{ minimum: 1 }, { minimum: 2 }] }, 0, 'fits none of the allowed forms'],
    [{ not: {} }, 0, 'must NOT be valid'],
  ] as const) {
    it(`${JSON.stringify(schema)} for ${JSON.stringify(value)} ${expected}`, () => {
      const validate = ajv.compile(schema)
      assert.equal(validate(value), false)
      const error = validate.errors?.at(-1)
      assert.equal(error && describeFault(error), expected)
    })
  }
})
