import assert from 'node:assert/strict'
import { ServiceError } from '../../../src/model/errors.js'
import { checkSchemaShape, type FieldError, SCHEMA_DIALECT } from '../../../src/tasks/record-schemas/record-schema.js'
import { compileRecordSchema, SchemaRefused } from '../../../src/tasks/record-schemas/record-schema-compiler.js'

/** The fields at which the schema is refused before any thread sees it. */
function shapeErrors(schema: unknown): string[] {
  try {
    checkSchemaShape(schema)
    return []
  } catch (error) {
    assert.ok(error instanceof ServiceError && error.code === 'invalid_schema')
    return (error.details as FieldError[]).map(({ field }) => field)
  }
}

function compileErrors(schema: object): FieldError[] {
  try {
    compileRecordSchema(schema)({})
    return []
  } catch (error) {
    assert.ok(error instanceof SchemaRefused, String(error))
    return error.errors
  }
}

function nest(levels: number): object {
  return levels === 1 ? {} : { not: nest(levels - 1) }
}

describe('a record schema', () => {
  it('is an object', () => {
    for (const schema of [null, true, 'object', [], 3, undefined]) assert.deepEqual(shapeErrors(schema), [''])
    assert.deepEqual(shapeErrors({}), [])
  })

  it('is at most 64 KiB as JSON, counted in bytes', () => {
    const frame = Buffer.byteLength(JSON.stringify({ title: '' }))
    assert.deepEqual(shapeErrors({ title: 'a'.repeat(65_536 - frame) }), [])
    assert.deepEqual(shapeErrors({ title: 'a'.repeat(65_537 - frame) }), [''])
    assert.deepEqual(shapeErrors({ title: 'é'.repeat(40_000) }), [''])
    assert.deepEqual(shapeErrors({ enum: Array.from({ length: 70_000 }, () => 1) }), [''])
  })

  it('is at most 20 levels deep, and the refusal says where', () => {
    assert.deepEqual(shapeErrors(nest(20)), [])
    assert.deepEqual(shapeErrors(nest(21)), ['/not'.repeat(20)])
    assert.deepEqual(shapeErrors(nest(5_000)), ['/not'.repeat(20)])
  })

  const DRAFTS = ['draft-06', 'draft-07', 'draft/2019-09', 'draft/2020-12']

  it('names a dialect that is known, or none', () => {
    for (const draft of DRAFTS) {
      for (const $schema of ['http', 'https'].flatMap((scheme) =>
        ['', '#'].map((end) => `${scheme}://json-schema.org/${draft}/schema${end}`),
      )) {
        assert.deepEqual(shapeErrors({ $schema }), [])
        assert.deepEqual(compileErrors({ $schema }), [])
        assert.deepEqual(compileErrors({ $schema, type: 'objct', minLength: -1 }).length, 2)
      }
    }
    const unknown = ['http://json-schema.org/draft-04/schema#', 'http://json-schema.org/schema#', SCHEMA_DIALECT + 's']
    for (const $schema of [...unknown, 'https://example.com/mine', 7, null]) {
      assert.deepEqual(shapeErrors({ $schema }), ['/$schema'])
    }
  })

  it('is read by the keywords of its dialect', () => {
    const faults = (draft: string, schema: object, record: object) =>
      compileRecordSchema({ $schema: `http://json-schema.org/${draft}/schema#`, ...schema })(record).length
    const pair = [{ type: 'string' }, { type: 'number' }]
    for (const draft of DRAFTS) {
      const isNew = draft === 'draft/2020-12'
      const listed = isNew ? { prefixItems: pair, items: false } : { items: pair, additionalItems: false }
      const list = { properties: { a: listed } }
      assert.equal(faults(draft, list, { a: ['x', 1] }), 0, draft)
      for (const a of [
        [1, 1],
        ['x', 1, 2],
      ])
        assert.equal(faults(draft, list, { a }), 1, draft)
      const needs = draft.startsWith('draft/') ? { dependentRequired: { a: ['b'] } } : { dependencies: { a: ['b'] } }
      assert.equal(faults(draft, needs, { a: 1 }), 1, draft)
      const ownDefinitions = { definitions: { n: { type: 'number' } }, properties: { a: { $ref: '#/definitions/n' } } }
      assert.deepEqual(
        [1, 'x'].map((a) => faults(draft, ownDefinitions, { a })),
        [0, 1],
        draft,
      )
      const beside = { definitions: { n: {} }, properties: { a: { $ref: '#/definitions/n', minLength: 2 } } }
      assert.equal(faults(draft, beside, { a: 'x' }), draft.startsWith('draft/') ? 1 : 0, draft)
    }
    const tree = { properties: { child: { $recursiveRef: '#' } }, additionalProperties: false }
    assert.equal(faults('draft/2019-09', tree, { child: { child: {} } }), 0)
    assert.equal(faults('draft/2019-09', tree, { child: { other: 1 } }), 1)
  })

  it('is told the name of a list of schemas in 2020-12', () => {
    const [fault] = compileErrors({ properties: { a: { items: [{ type: 'string' }] } } })
    assert.deepEqual(fault?.field, '/properties/a/items')
    assert.match(fault?.message ?? '', /prefixItems/)
  })

  it('is valid, or each fault is named by its JSON pointer', () => {
    const schema = { type: 'objct', properties: { name: { minLength: -1 }, 'a/b': { type: 7 } } }
    const fields = compileErrors(schema).map(({ field }) => field)
    assert.deepEqual(fields.toSorted(), ['/properties/a~1b/type', '/properties/name/minLength', '/type'])
  })

  it('refers only to its own parts', () => {
    const outside = ['https://example.com/schema.json', 'other.json', '#/$defs/missing', SCHEMA_DIALECT]
    for (const $ref of outside) {
      const [error] = compileErrors({ properties: { a: { $ref } } })
      assert.equal(error?.field, '/properties/a/$ref', $ref)
      assert.ok(error?.message.includes('not in this schema'), error?.message)
    }
    assert.equal(compileErrors({ properties: { a: { $dynamicRef: 'https://example.com/s#a' } } }).length, 1)
    const inside = {
      $id: 'https://example.com/s',
      properties: { a: { $ref: '#/$defs/b' }, c: { $ref: 's#/$defs/b' } },
      $defs: { b: {} },
    }
    assert.deepEqual(compileErrors(inside), [])
  })

  it('may have "$ref" in data', () => {
    const schema = { properties: { $ref: { type: 'string' } }, default: { $ref: 'https://example.com/' } }
    assert.deepEqual(compileErrors(schema), [])
  })

  it('is refused, not followed, if it refers to itself without end', () => {
    assert.equal(compileErrors({ $ref: '#' })[0]?.message, 'refers to itself without end')
    assert.deepEqual(compileErrors({ properties: { child: { $ref: '#' } } }), [])
  })

  it('has only patterns that run in linear time, and the refusal names them', () => {
    for (const pattern of ['(?=a)b', '(a)\\1', '(?<n>a)\\k<n>', '(', '(?i)a', 'a{1,100000}']) {
      assert.deepEqual(
        compileErrors({ properties: { a: { pattern } } }).map(({ field }) => field),
        ['/properties/a/pattern'],
      )
    }
    const [error] = compileErrors({ patternProperties: { '(?!x)': {} } })
    assert.equal(error?.field, '/patternProperties/(?!x)')
    assert.deepEqual(compileErrors({ properties: { a: { pattern: '^\\p{L}[\\w-]*\\u00e9?\\\\k<$' } } }), [])
  })

  it('cannot make the check asynchronous, which would accept everything', () => {
    assert.deepEqual(
      compileErrors({ $async: true, type: 'string' }).map(({ field }) => field),
      ['/$async'],
    )
  })

  it('may have unknown keywords and formats', () => {
    assert.deepEqual(compileErrors({ 'x-order': 1, properties: { a: { format: 'tax-number', widget: 'text' } } }), [])
  })
})

describe('a record', () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      mail: { type: 'string', format: 'email' },
      state: { enum: ['open', 'closed'] },
      tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, uniqueItems: true },
    },
    required: ['name'],
    additionalProperties: false,
  }
  const check = compileRecordSchema(schema)

  it('has no errors if it fits its schema', () => {
    assert.deepEqual(check({ name: 'Ada', mail: 'ada@example.org', state: 'open', tags: ['a', 'b'] }), [])
  })

  it('has every fault named by its field', () => {
    const errors = check({ mail: 'nowhere', state: 'ajar', tags: ['a', 'B'], 'no/such': 1 })
    assert.deepEqual(
      errors.toSorted((a, b) => a.field.localeCompare(b.field)),
      [
        { field: '/mail', message: 'must be an e-mail address' },
        { field: '/name', message: 'is required' },
        { field: '/no~1such', message: 'is not a field of this collection' },
        { field: '/state', message: 'must be one of "open", "closed"' },
        { field: '/tags/1', message: 'must match the pattern ^[a-z]+$' },
      ],
    )
  })

  it('has at most 20 faults named, with messages of bounded length', () => {
    const many = compileRecordSchema({ properties: { all: { items: { enum: ['x'.repeat(10_000)] } } } })
    const errors = many({ all: Array.from({ length: 1000 }, (_, n) => n) })
    assert.equal(errors.length, 20)
    assert.ok(errors.every(({ message }) => message.length < 400))
  })

  it('has only its own fields: inherited ones count as missing', () => {
    const inherited = compileRecordSchema({ required: ['toString', 'constructor'] })
    assert.deepEqual(
      inherited({}).map(({ field }) => field),
      ['/toString', '/constructor'],
    )
    assert.deepEqual(
      compileRecordSchema({ additionalProperties: false })(JSON.parse('{"__proto__": 1}')).map(({ field }) => field),
      ['/__proto__'],
    )
  })

  it('must match the known formats', () => {
    const samples: [format: string, good: string, bad: string][] = [
      ['email', 'ada@example.org', 'ada@'],
      ['date', '2026-02-28', '2026-02-29'],
      ['date-time', '2026-11-21T10:00:00Z', '2026-11-21'],
      ['uri', 'https://example.org/a?b#c', 'not a uri'],
      ['hostname', 'example.org', '-example.org'],
      ['ipv4', '127.0.0.1', '127.0.0.256'],
      ['ipv6', '::1', ':::1'],
      ['uuid', '123e4567-e89b-42d3-a456-426614174000', '123e4567'],
      ['duration', 'P1DT2H', 'P'],
      ['json-pointer', '/a~0b', '/a~'],
      ['regex', '^a+$', '(?=a)'],
    ]
    for (const [format, good, bad] of samples) {
      const checkFormat = compileRecordSchema({ properties: { a: { format } } })
      assert.deepEqual(checkFormat({ a: good }), [], `${format} takes ${good}`)
      assert.equal(checkFormat({ a: bad }).length, 1, `${format} refuses ${bad}`)
    }
  })
})
