import assert from 'node:assert/strict'
import { problemsOf } from '../../../dashboard/src/screens/collections/fields/check.js'
import { pointerOf, wordsOf } from '../../../dashboard/src/screens/collections/fields/field.js'
import { guessFields } from '../../../dashboard/src/screens/collections/fields/guess-fields.js'
import { fieldsOf } from '../../../dashboard/src/screens/collections/fields/read-schema.js'
import { firstFields, titleOf } from '../../../dashboard/src/screens/collections/fields/record-title.js'
import { sortReasons } from '../../../dashboard/src/screens/collections/fields/refused-fields.js'
import {
  isShown,
  newRecord,
  numberOf,
  toInstant,
  toLocalTime,
  valueAt,
  withValueAt,
} from '../../../dashboard/src/screens/collections/fields/values.js'

const BOOKS = {
  type: 'object',
  required: ['title', 'kind'],
  properties: {
    isbn: { type: 'string', pattern: '^[0-9]+$' },
    title: { type: 'string', minLength: 2, maxLength: 80, title: 'Title', description: 'As on the cover.' },
    blurb: { type: 'string', maxLength: 4000 },
    notes: { type: 'string', contentMediaType: 'text/plain' },
    year: { type: 'integer', minimum: -800, maximum: 2100 },
    price: { type: ['number', 'null'] },
    published: { type: 'string', format: 'date' },
    added_at: { type: 'string', format: 'date-time' },
    kind: { enum: ['verse', 'prose'] },
    read: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
    cover: { type: 'string', format: 'uri-reference' },
    website: { type: 'string', format: 'uri' },
    author: { $ref: '#/$defs/person' },
    size: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
    level: { oneOf: [{ const: 1, title: 'Easy' }, { const: 2 }] },
    extent: { type: 'array', items: { type: 'object' } },
    either: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  },
  $defs: { person: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
}

const fields = fieldsOf(BOOKS) ?? []
const shapeOf = (name: string) => fields.find((field) => field.name === name)?.shape

describe('the fields of a form', () => {
  it('have the kind that the schema describes, and are JSON where no input fits', () => {
    assert.deepEqual(Object.fromEntries(fields.map(({ name, shape }) => [name, shape.kind])), {
      isbn: 'text',
      title: 'text',
      blurb: 'long text',
      notes: 'long text',
      year: 'number',
      price: 'number',
      published: 'date',
      added_at: 'time',
      kind: 'choice',
      read: 'yes or no',
      tags: 'list',
      cover: 'picture',
      website: 'text',
      author: 'group',
      size: 'number',
      level: 'choice',
      extent: 'json',
      either: 'json',
    })
  })

  it('take their labels from the title, or from the name in words, and their help from the description', () => {
    const [title] = fields.filter(({ name }) => name === 'title')
    assert.equal(title?.help, 'As on the cover.')
    assert.ok(title?.isRequired)
    assert.equal(fields.find(({ name }) => name === 'added_at')?.label, 'Added at')
    assert.equal(wordsOf('publishingYear'), 'Publishing year')
    assert.equal(wordsOf('ISBN_number'), 'ISBN number')
    assert.equal(wordsOf('größe'), 'Größe')
    assert.equal(wordsOf('__'), '__')
  })

  it('know which take null, and the labels of choices', () => {
    assert.deepEqual(
      fields.filter(({ isNullable }) => isNullable).map(({ name }) => name),
      ['price', 'size'],
    )
    assert.deepEqual(shapeOf('level'), {
      kind: 'choice',
      choices: [
        { value: 1, label: 'Easy' },
        { value: 2, label: '2' },
      ],
    })
  })

  it('end at references that lead nowhere, outside, or in a circle', () => {
    const found = fieldsOf({
      properties: { a: { $ref: '#/$defs/none' }, b: { $ref: 'https://example.org/x' }, c: { $ref: '#/properties/c' } },
    })
    assert.deepEqual(
      found?.map(({ shape }) => shape.kind),
      ['json', 'json', 'json'],
    )
    const tree = { properties: { child: { $ref: '#' } }, type: 'object' }
    assert.equal(fieldsOf(tree)?.[0]?.shape.kind, 'group')
  })

  it('are unknown for a schema without properties', () => {
    assert.equal(fieldsOf(null), undefined)
    assert.equal(fieldsOf({ type: 'object' }), undefined)
  })

  it('are guessed from records where there is no schema', () => {
    const guessed = guessFields([
      { name: 'Ovid', born: -43, poet: true, works: ['Amores'], since: '2026-11-29', place: { town: 'Sulmo' } },
      { name: 'Cato', born: 'unknown', note: null },
    ])
    assert.deepEqual(
      guessed.map(({ name, shape }) => [name, shape.kind]),
      [
        ['name', 'text'],
        ['born', 'json'],
        ['poet', 'yes or no'],
        ['works', 'list'],
        ['since', 'date'],
        ['place', 'group'],
        ['note', 'json'],
      ],
    )
  })
})

describe('a value of a record', () => {
  it('is read and changed at its place, and objects that become empty go', () => {
    const data = withValueAt({ x: 1 }, ['author', 'name'], 'Ovid')
    assert.deepEqual(data, { x: 1, author: { name: 'Ovid' } })
    assert.equal(valueAt(data, ['author', 'name']), 'Ovid')
    assert.deepEqual(withValueAt(data, ['author', 'name'], undefined), { x: 1 })
    assert.deepEqual(withValueAt({ tags: ['a', 'b'] }, ['tags', '1'], 'c'), { tags: ['a', 'c'] })
    assert.deepEqual(withValueAt({ a: 1 }, ['a'], undefined), {})
    assert.equal(valueAt({}, ['constructor']), undefined)
  })

  it('is a number if a person can mean one, and stays a text if it would be rounded', () => {
    assert.equal(numberOf(' 12 '), 12)
    assert.equal(numberOf('-1.50'), -1.5)
    assert.equal(numberOf('1.'), 1)
    assert.equal(numberOf('.5'), 0.5)
    assert.equal(numberOf('1e3'), 1000)
    for (const text of ['', '1,5', 'twelve', '9007199254740993', '1e999', '0x10']) assert.equal(numberOf(text), text)
  })

  it('is shown by an input only if that can show it', () => {
    assert.ok(isShown({ kind: 'date' }, '2026-11-29'))
    assert.ok(!isShown({ kind: 'date' }, 'next week'))
    assert.ok(!isShown({ kind: 'text' }, 12))
    assert.ok(!isShown({ kind: 'list', of: { kind: 'text' } }, ['a', null]))
    assert.ok(isShown({ kind: 'number', isWhole: true }, 'twelve'))
    assert.ok(!isShown({ kind: 'yes or no' }, 'yes'))
  })

  it('keeps its instant through the time of the person', () => {
    for (const time of ['2026-11-29T10:00:00Z', '2026-11-29T10:00:07Z'])
      assert.equal(toInstant(toLocalTime(time)), time)
    assert.equal(toInstant(''), undefined)
  })

  it('begins with the presets of the schema, no for a required yes or no, and nothing else', () => {
    const schema = {
      properties: { lang: { type: 'string', default: 'la' }, done: { type: 'boolean' }, open: { type: 'boolean' } },
      required: ['done'],
    }
    assert.deepEqual(newRecord(fieldsOf(schema) ?? []), { lang: 'la', done: false })
  })
})

describe('the check in the browser', () => {
  it('names what is missing and what is out of bounds, by JSON Pointer', () => {
    const data = { title: 'x', year: 3000, tags: ['a', 'b', 'c', 'd'], kind: 'song', author: {}, price: null }
    assert.deepEqual(problemsOf(fields, data), {
      '/title': 'At least 2 characters; this has 1.',
      '/year': 'The most is 2100.',
      '/tags': 'At most 3 entries; this has 4.',
      '/kind': 'Choose one of the list.',
      '/author/name': 'Fill this in.',
    })
    assert.deepEqual(problemsOf(fields, {}), { '/title': 'Fill this in.', '/kind': 'Choose one.' })
    assert.deepEqual(problemsOf(fields, { title: 'Amores', kind: 'verse' }), {})
  })

  it('asks for a number where a text stands', () => {
    const problems = problemsOf(fields, { title: 'Amores', kind: 'verse', year: 'twelve', price: '1,5' })
    assert.deepEqual(problems, {
      '/year': 'Write a number, such as 12.',
      '/price': 'Write a number, such as 12 or 1.5.',
    })
  })

  it('finds no fault in a record that fits, and asks to fill in an empty text that is required', () => {
    const data = { title: '𝔄𝔟', kind: 'prose', year: 8, tags: [], author: { name: 'Ovid' } }
    assert.deepEqual(problemsOf(fields, data), {})
    assert.deepEqual(problemsOf(fields, { ...data, author: { name: '' } }), { '/author/name': 'Fill this in.' })
  })
})

describe('the reasons of the service', () => {
  it('go to the fields that they name, and the others are told beside the form', () => {
    const details = [
      { field: '/data/title', message: 'is required' },
      { field: '/data/tags/1', message: 'must be a string' },
      { field: '/data/extent/0/pages', message: 'must be an integer' },
      { field: '/data/author/name', message: 'is empty' },
      { field: '/data/color', message: 'is not a field of this collection' },
      { field: '/data', message: 'has fewer than 2 fields' },
    ]
    assert.deepEqual(sortReasons(details, fields), {
      problems: {
        '/title': 'It is required.',
        '/tags/1': 'It must be a string.',
        '/extent': 'It must be an integer.',
        '/author/name': 'It is empty.',
      },
      others: ['color is not a field of this collection.', 'The record has fewer than 2 fields.'],
    })
    assert.deepEqual(sortReasons(undefined, fields), { problems: {}, others: [] })
  })

  it('are found for names with slashes and tildes', () => {
    const odd = fieldsOf({ properties: { 'a/b~c': { type: 'string' } } }) ?? []
    const pointer = pointerOf(['a/b~c'])
    assert.equal(pointer, '/a~1b~0c')
    const { problems } = sortReasons([{ field: `/data${pointer}`, message: 'is empty' }], odd)
    assert.deepEqual(problems, { [pointer]: 'It is empty.' })
  })
})

describe('the name of a record', () => {
  it('is its title, or the first thing that it says', () => {
    assert.equal(titleOf({ isbn: '1', title: 'Metamorphoses' }, fields), 'Metamorphoses')
    assert.equal(titleOf({ isbn: '1' }, fields), '1')
    assert.equal(titleOf({ title: 'first\nsecond' }, fields), 'first')
    assert.equal(titleOf({ year: 8 }, fields), '8')
    assert.equal(titleOf({}, fields), 'a record')
    assert.ok(titleOf({ title: 'long '.repeat(40) }, fields).length <= 60)
  })

  it('comes first in the table, and long texts last', () => {
    assert.deepEqual(
      firstFields(fields, 5).map(({ name }) => name),
      ['title', 'isbn', 'year', 'price', 'published'],
    )
  })
})
