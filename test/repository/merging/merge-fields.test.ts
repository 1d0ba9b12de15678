import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { canonicalJson } from '../../../src/repository/format/canonical-json.js'
import { mergeFields, mergeJson } from '../../../src/repository/merging/merge-fields.js'
import { mergeMetadata } from '../../../src/repository/merging/merge-metadata.js'

type Fields = Record<string, unknown>

const RECORD = { kind: 'record', collectionId: 'c', recordId: 'r' } as const
const merge = (base: unknown, ours: unknown, theirs: unknown) => {
  const bytes = [base, ours, theirs].map((value) =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)),
  )
  const merged = mergeMetadata(RECORD, { base: bytes[0], ours: bytes[1], theirs: bytes[2] })
  return 'merged' in merged ? merged.merged.toString() : { conflict: merged.conflict }
}

describe('a merge by field', () => {
  it('takes the changes of both sides, also in nested objects, as canonical JSON', () => {
    const base = { title: 'a', size: { wide: 1, high: 2 }, tags: ['x'], old: true }
    const ours = { ...base, size: { wide: 10, high: 2, deep: 3 }, new: 'ours' }
    const theirs = { size: { wide: 1, high: 20 }, title: 'b', tags: ['x', 'y'] }
    const merged = '{"new":"ours","size":{"deep":3,"high":20,"wide":10},"tags":["x","y"],"title":"b"}\n'
    assert.equal(merge(base, ours, theirs), merged)
  })

  it('finds a conflict in a value that both sides changed, with the places of all', () => {
    const base = { 'a/b': 1, list: [1], deep: { x: 1 } }
    const ours = { 'a/b': 2, list: [1, 2], deep: { x: 2 } }
    const theirs = { 'a/b': 3, list: [0, 1], deep: 'none' }
    assert.deepEqual(merge(base, ours, theirs), { conflict: 'Both sides changed /a~1b, /list, /deep differently.' })
    assert.deepEqual(merge({ a: 1 }, {}, { a: 2 }), { conflict: 'Both sides changed /a differently.' })
    assert.deepEqual(merge({}, { a: { x: 1 } }, { a: { y: 1 } }), { conflict: 'Both sides changed /a differently.' })
  })

  it('takes an equal change of both sides once, whatever the order of its keys', () => {
    assert.equal(merge({}, '{"a":{"x":1,"y":2}}', '{"a":{"y":2,"x":1}}'), '{"a":{"x":1,"y":2}}\n')
    assert.equal(merge({ a: 1, b: 1 }, { b: 1 }, { b: 2 }), '{"b":2}\n')
  })

  it('keeps a field of any name', () => {
    assert.equal(merge('{}', '{"__proto__":{"a":1}}', '{"constructor":2}'), '{"__proto__":{"a":1},"constructor":2}\n')
  })

  it('merges no file that it cannot write again as it is', () => {
    const conflict = { conflict: 'It was changed since, and is no JSON that can be merged by field.' }
    assert.deepEqual(merge('{"n":1}', '{"n":1,"id":12345678901234567890}', '{"n":2}'), conflict)
    assert.deepEqual(merge('[]', '{}', '{"a":1}'), conflict)
    assert.deepEqual(merge('{', '{}', '{"a":1}'), conflict)
    const deep = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    assert.deepEqual(merge(deep, deep.replace('1', '2'), deep.replace('1', '3')), conflict)
  })

  it('merges sidecars and collections only to valid ones', () => {
    const sidecar = { kind: 'sidecar', pageId: 'p' } as const
    const bytes = (value: unknown) => Buffer.from(JSON.stringify(value))
    const base = { path: '/a', template: null }
    const both = {
      base: bytes(base),
      ours: bytes({ ...base, title: 'A', titleIsSet: true }),
      theirs: bytes({ ...base, path: '/b' }),
    }
    const merged = { path: '/b', template: null, title: 'A', titleIsSet: true }
    assert.deepEqual(mergeMetadata(sidecar, both), { merged: Buffer.from(`${canonicalJson(merged)}\n`) })
    assert.match(
      Object.values(mergeMetadata(sidecar, { ...both, theirs: bytes({ ...base, path: 'no path' }) }))[0] as string,
      /no valid file/,
    )
    const collection = { kind: 'collection', collectionId: 'c' } as const
    const books = { id: 'c', name: 'books', schema: null }
    const sides = {
      base: bytes(books),
      ours: bytes({ ...books, name: 'works' }),
      theirs: bytes({ ...books, schema: { type: 'object' } }),
    }
    assert.deepEqual(mergeMetadata(collection, sides), {
      merged: Buffer.from('{"id":"c","name":"works","schema":{"type":"object"}}\n'),
    })
  })

  it('loses no field that one side added, and brings none back that one side removed', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }))
    const names = fc.constantFrom('a', 'b', 'c', 'd')
    const fields = fc.dictionary(names, fc.oneof(value, fc.dictionary(names, value, { maxKeys: 3 })), { maxKeys: 4 })
    const options = { seed: 5, numRuns: 500 }
    fc.assert(
      fc.property(fields, fields, fields, (base, ours, theirs) => {
        const merged = mergeFields({ base, ours, theirs })
        const both = 'fields' in merged ? leaves(merged.fields) : undefined
        const [before, here, there] = [leaves(base), leaves(ours), leaves(theirs)]
        if (both === undefined) return
        for (const place of new Set([...before.keys(), ...here.keys(), ...there.keys(), ...both.keys()])) {
          const [was, now, sent] = [before.get(place), here.get(place), there.get(place)]
          assert.equal(both.get(place), now === was ? sent : now, place)
        }
      }),
      options,
    )
    assert.equal(mergeJson({ base: Buffer.from('{}'), ours: Buffer.from('x'), theirs: Buffer.from('{}') }), undefined)
  })
})

/** The values of a record by their places; objects only as what is in them. */
function leaves(fields: Readonly<Fields>, path = ''): Map<string, string> {
  const found = Object.entries(fields).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0
      ? [...leaves(value as Fields, `${path}/${name}`)]
      : [[`${path}/${name}`, canonicalJson(value)]],
  )
  return new Map(found)
}
