// Collections and their records.

import { type Static, Type } from 'typebox'
import { closed, entityTag, nullable, sliceQuery, timestamp, uuid } from './common.js'
import { mergedWithChange } from './merging.js'

const name = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'The name that people see.',
  examples: ['books'],
})

const schema = nullable(
  Type.Object(
    {},
    {
      additionalProperties: true,
      description:
        'JSON Schema of the records, of draft 06 to 2020-12 by `$schema`; null takes any object. At most 64 KiB, 20 levels.',
      examples: [{ type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }],
    },
  ),
)

export const collectionBody = Type.Object(
  { name, schema: Type.Optional(schema) },
  { ...closed, title: 'WriteCollection' },
)

export const collectionData = Type.Object(
  {
    id: uuid("The collection's id."),
    name,
    schema,
    createdAt: timestamp('Commit time of the first version.'),
    updatedAt: timestamp('Commit time of the last change of its definition.'),
    mergedWith: mergedWithChange,
  },
  { ...closed, title: 'Collection' },
)
export type CollectionData = Static<typeof collectionData>

const data = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  description: "The record: any JSON object that the collection's schema accepts.",
})

export const recordBody = Type.Object({ data }, { ...closed, title: 'WriteRecord' })

export const recordData = Type.Object(
  {
    id: uuid("The record's id."),
    collectionId: uuid('The id of its collection.'),
    data,
    etag: entityTag('Send it as `If-Match` to change the record only if it is unchanged.'),
    createdAt: timestamp('Commit time of the first version.'),
    updatedAt: timestamp('Commit time of the last change.'),
    mergedWith: mergedWithChange,
  },
  { ...closed, title: 'Record' },
)
export type RecordData = Static<typeof recordData>

export const recordParams = Type.Object(
  { id: uuid('The id of the collection.'), recordId: uuid('The id of the record.') },
  closed,
)

export const listRecordsQuery = Type.Object(
  {
    ...sliceQuery,
    q: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Full-text search: all words must occur; the last one may be the start of a word.',
      }),
    ),
    sort: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'Fields, separated by commas; `-` before one sorts it in descending order: `year,-title`. Case and accents are ignored.',
      }),
    ),
    filter: Type.Optional(
      Type.Array(
        Type.Object(
          {
            field: Type.String({ minLength: 1, maxLength: 1000 }),
            op: Type.Enum(['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains']),
            value: Type.String({ maxLength: 256 }),
          },
          closed,
        ),
        {
          maxItems: 20,
          description:
            'Conditions, one parameter each: `filter=year>=1990`, with `=`, `!=`, `>`, `>=`, `<`, `<=` or `~` (contains, without regard to case and accents). Also as `filter[field]=value` and `filter[field][gte]=value` (gt, lt, lte, ne, contains). Fields of the formats `date` and `date-time` are compared as instants.',
        },
      ),
    ),
  },
  closed,
)
