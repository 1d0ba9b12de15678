import assert from 'node:assert/strict'
import {
  nameFromTitle,
  titleOfCollection,
  withTitle,
} from '../../../dashboard/src/screens/collections/schema/collection-name.js'
import {
  faultOf,
  type FieldRow,
  KINDS,
  namesOf,
  NEW_ROW,
  rowsOf,
  schemaOf,
} from '../../../dashboard/src/screens/collections/schema/field-rows.js'

const row = (label: string, changes: Partial<FieldRow> = {}): FieldRow => ({ ...NEW_ROW, label, ...changes })

describe('the rows of a new collection', () => {
  it('make a JSON Schema, with a title only where the name does not say it', () => {
    const rows = [
      row('Title', { isRequired: true }),
      row('Publishing year', { kind: 'number' }),
      row('ISBN', {}),
      row('Kind', { kind: 'choice', choices: ['verse', 'prose'] }),
    ]
    assert.deepEqual(schemaOf(rows, null), {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        title: { type: 'string' },
        publishing_year: { type: 'number' },
        isbn: { title: 'ISBN', type: 'string' },
        kind: { type: 'string', enum: ['verse', 'prose'] },
      },
      required: ['title'],
      'x-order': ['title', 'publishing_year', 'isbn', 'kind'],
    })
  })

  it('are read again from the schema that they make, for every kind', () => {
    const rows = KINDS.map((kind) => row(`Some ${kind}`, { kind, choices: kind === 'choice' ? ['a', 'b'] : [] }))
    const again = rowsOf(schemaOf(rows, null))
    assert.deepEqual(
      again?.map(({ label, kind, isRequired, choices }) => ({ label, kind, isRequired, choices })),
      rows,
    )
  })

  it('give each field a name of its own, and name what is missing', () => {
    assert.deepEqual(namesOf([row('Größe (cm)'), row('größe cm'), row('…')]), ['größe_cm', 'größe_cm_2', 'field'])
    assert.deepEqual(faultOf([row('A'), row(' ')]), { at: 1, problem: 'Give the field a name.' })
    assert.deepEqual(faultOf([row('A'), row('a')]), { at: 1, problem: 'There is a field “a” already.' })
    assert.deepEqual(faultOf([row('A', { kind: 'choice' })]), { at: 0, problem: 'Write what can be chosen.' })
    assert.equal(faultOf([row('A'), row('B')]), undefined)
  })
})

describe('the rows of a schema that is there', () => {
  const SCHEMA = {
    title: 'Books',
    type: 'object',
    additionalProperties: false,
    required: ['title'],
    properties: {
      title: { type: 'string', maxLength: 80, description: 'As on the cover.' },
      year: { type: 'integer', minimum: -800 },
      extent: { type: 'array', items: { type: 'object' } },
    },
  }

  it('keep all that they do not show', () => {
    const rows = rowsOf(SCHEMA) ?? []
    assert.deepEqual(
      rows.map(({ label, kind, isRequired }) => [label, kind, isRequired]),
      [
        ['Title', 'text', true],
        ['Year', 'number', false],
        ['Extent', 'other', false],
      ],
    )
    assert.deepEqual(schemaOf(rows, SCHEMA), { ...SCHEMA, 'x-order': ['title', 'year', 'extent'] })
  })

  it('keep their order, although the service sorts the names of a schema', () => {
    const [title, year, extent] = rowsOf(SCHEMA) as [FieldRow, FieldRow, FieldRow]
    const made = schemaOf([year, extent, title], SCHEMA)
    const sorted = {
      ...made,
      properties: Object.fromEntries(
        Object.entries(made['properties'] as object).toSorted(([a], [b]) => a.localeCompare(b)),
      ),
    }
    assert.deepEqual(
      rowsOf(sorted)?.map(({ label }) => label),
      ['Year', 'Extent', 'Title'],
    )
  })

  it('keep the name in the records when a person renames a field', () => {
    const [first, ...others] = rowsOf(SCHEMA) ?? []
    const schema = schemaOf([{ ...(first as FieldRow), label: 'Name of the book' }, ...others], SCHEMA)
    const { title } = schema['properties'] as Record<string, unknown>
    assert.deepEqual(title, {
      title: 'Name of the book',
      type: 'string',
      maxLength: 80,
      description: 'As on the cover.',
    })
  })

  it('drop the bounds of another kind, but not what describes the field', () => {
    const [first] = rowsOf(SCHEMA) ?? []
    const schema = schemaOf([{ ...(first as FieldRow), kind: 'number' }], SCHEMA)
    assert.deepEqual(schema['properties'], { title: { description: 'As on the cover.', type: 'number' } })
  })

  it('are not offered where rows cannot show the schema', () => {
    for (const beyond of [
      { allOf: [{ type: 'object' }] },
      { type: 'array' },
      { type: 'object', required: ['ghost'], properties: {} },
      { type: 'object', minProperties: 1 },
    ])
      assert.equal(rowsOf(beyond), undefined, JSON.stringify(beyond))
    assert.deepEqual(rowsOf(null), [])
    assert.deepEqual(rowsOf({ type: 'object' }), [])
  })
})

describe('the name of a collection', () => {
  it('is made from its title, in the form of an address', () => {
    assert.equal(nameFromTitle('Our books'), 'our-books')
    assert.equal(nameFromTitle(' Spring Fair 2026! '), 'spring-fair-2026')
    assert.equal(nameFromTitle('Bücher'), 'bücher')
    assert.equal(nameFromTitle('…'), '')
  })

  it('is shown only where the schema has no title', () => {
    assert.equal(titleOfCollection({ name: 'our-books', schema: { title: 'Our books' } }), 'Our books')
    assert.equal(titleOfCollection({ name: 'our-books', schema: { title: 7 } }), 'our-books')
    assert.equal(titleOfCollection({ name: 'our-books', schema: null }), 'our-books')
    assert.deepEqual(withTitle({ type: 'object' }, 'Our books', 'our-books'), { type: 'object', title: 'Our books' })
    assert.deepEqual(withTitle({ title: 'Old' }, 'posts', 'posts'), {})
    assert.equal(withTitle(null, 'posts', 'posts'), null)
  })
})
