import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { readRecords, writeRecords } from '../../../dashboard/src/screens/collections/csv/csv-records.js'
import { CsvFault, readCsv, writeCsv } from '../../../dashboard/src/screens/collections/csv/csv-text.js'
import { fieldsOf } from '../../../dashboard/src/screens/collections/fields/read-schema.js'

const cellsIn = (text: string) => readCsv(text).map(({ cells }) => cells)

describe('a table of text', () => {
  it('is read as it was written', () => {
    const cell = fc.string().map((text) => text.replaceAll(/\r\n?/g, '\n'))
    const row = fc.array(cell, { minLength: 1 }).filter((cells) => cells.some((text) => text !== ''))
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        assert.deepEqual(cellsIn(writeCsv(rows)), rows)
      }),
    )
  })

  it('may have semicolons or tabs between its cells, a mark at its start, and any ends of lines', () => {
    assert.deepEqual(cellsIn('\uFEFFa;b\r\n1,5;2\r3;4'), [
      ['a', 'b'],
      ['1,5', '2'],
      ['3', '4'],
    ])
    assert.deepEqual(cellsIn('a\tb\n\n1\t'), [
      ['a', 'b'],
      ['1', ''],
    ])
    assert.deepEqual(cellsIn('"a;b;c",d\n1,2'), [
      ['a;b;c', 'd'],
      ['1', '2'],
    ])
    assert.deepEqual(cellsIn(''), [])
  })

  it('names the line of each row, and of a quote that is never closed', () => {
    assert.deepEqual(
      readCsv('a\n"two\nlines"\n\nb').map(({ line }) => line),
      [1, 2, 5],
    )
    assert.throws(() => readCsv('a\n"open\n'), new CsvFault('The quote that begins on line 2 is never closed.'))
  })
})

describe('records as a table of text', () => {
  const fields =
    fieldsOf({
      required: ['title'],
      'x-order': ['title', 'year', 'read', 'kind', 'tags', 'author', 'extent'],
      properties: {
        title: { type: 'string' },
        year: { type: 'integer', title: 'Year of print' },
        read: { type: 'boolean' },
        kind: { enum: ['verse', 'prose'] },
        tags: { type: 'array', items: { type: 'string' } },
        author: { type: 'object', properties: { name: { type: 'string' } } },
        extent: { type: 'array', items: { type: 'object' } },
      },
    }) ?? []

  it('are read as they were written', () => {
    const records = [
      {
        title: '=1+1',
        year: -8,
        read: false,
        kind: 'verse',
        tags: ['a', 'b; c'],
        author: { name: 'Ovid' },
        extent: [{ n: 1 }],
      },
      { title: 'Two\nlines, "quoted"', tags: ['x', 'y'], color: 'red' },
      { title: '  spaces  ', tags: [''] },
    ]
    const { records: again, problems } = readRecords(writeRecords(records, fields), fields)
    assert.deepEqual(problems, [{ line: 5, message: 'tags/0: Fill this in, or remove it.' }])
    assert.deepEqual(
      again.map(({ data }) => data),
      records.slice(0, 2),
    )
  })

  it('have cells that no spreadsheet computes', () => {
    assert.match(writeRecords([{ title: '=HYPERLINK("x")' }], fields), /"'=HYPERLINK\(""x""\)"/)
    assert.match(writeRecords([{ title: 'x', year: -8 }], fields), /x,-8,/)
  })

  it('are read by the names or the labels of fields, with yes, no and an empty cell', () => {
    const { records } = readRecords(
      'Title,Year of print,Read,Kind,extra\nAmores,1471,Yes,verse,more\nIbis,,no,,',
      fields,
    )
    assert.deepEqual(records, [
      { line: 2, data: { title: 'Amores', year: 1471, read: true, kind: 'verse', extra: 'more' } },
      { line: 3, data: { title: 'Ibis', read: false } },
    ])
  })

  it('are refused by line, with the field and the reason', () => {
    const { records, problems } = readRecords('title,year\n,8\nAmores,eight\nIbis,9\na,b,c', fields)
    assert.deepEqual(
      records.map(({ line }) => line),
      [4],
    )
    assert.deepEqual(problems, [
      { line: 2, message: 'title: Fill this in.' },
      { line: 3, message: 'year: Write a number, such as 12.' },
      { line: 5, message: 'It has 3 cells; the first line has 2.' },
    ])
    assert.deepEqual(readRecords('', fields).problems, [{ line: 1, message: 'The file is empty.' }])
    assert.deepEqual(readRecords('"', fields).problems, [
      { line: 1, message: 'The quote that begins on line 1 is never closed.' },
    ])
  })
})
