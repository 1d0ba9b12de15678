// Schema pieces that several resources share. A schema with a `title` becomes a component of the OpenAPI document.

import { type Static, type TSchema, Type } from 'typebox'
import { UUID_PATTERN } from '../src/model/ids.js'
import { MAX_CURSOR_CHARACTERS } from '../src/model/limits.js'
import { sentence, treePath } from './answer-texts.js'

/** Refuses unknown fields; the error names the known ones. */
export const closed = { additionalProperties: false } as const

export const uuid = (description: string) =>
  Type.String({
    format: 'uuid',
    pattern: UUID_PATTERN,
    maxLength: 36,
    description,
    examples: ['3f2a9c1e-5b7d-4e0a-9c1f-2d4b6a8c0e12'],
  })

export const oid = (description: string) =>
  Type.String({
    pattern: '^[0-9a-f]{40}$',
    maxLength: 40,
    description,
    examples: ['9fceb02d0ae598e95dc970b74767f19372d61af8'],
  })

export const timestamp = (description: string) =>
  Type.String({ format: 'date-time', maxLength: 64, description, examples: ['2026-11-21T10:00:00Z'] })

export const entityTag = (description: string) =>
  Type.String({ maxLength: 42, description, examples: ['"9fceb02d0ae598e95dc970b74767f19372d61af8"'] })

export const verified = Type.Enum(['service', 'other', 'none'], {
  description:
    'The signature of the commit: `service` if this service made it, `other` if it cannot be checked, or `none`.',
})

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

export const siteIdField = uuid('The site to write to. Must equal `x-service-site-id` if both are sent.')

const requestId = uuid('The id of a change request.')

/** The parameter of a write: it goes to a change request, and main stays as it is. */
export const toRequest = {
  changeRequest: Type.Optional(
    Type.Union([requestId, Type.Literal('new')], {
      description:
        'Writes to this change request in place of what is live. `new` makes one; the answer names it in `changeRequest`.',
    }),
  ),
}
export const toRequestQuery = Type.Object(toRequest, closed)

/** The same for the writes of an editor of one page. */
export const toDraft = {
  changeRequest: Type.Optional(
    Type.Union([requestId, Type.Enum(['new', 'draft'])], {
      description:
        'Writes to this change request in place of what is live. `new` makes one; `draft` is your open draft of this page, made if there is none. The answer names it in `changeRequest`.',
    }),
  ),
}

/** The parameter of a read: it is of a change request, and not of main. */
export const ofRequest = {
  changeRequest: Type.Optional(uuid('Reads this change request in place of what is live.')),
}
export const ofRequestQuery = Type.Object(ofRequest, closed)

/** The same for one page. */
export const ofDraft = {
  changeRequest: Type.Optional(
    Type.Union([requestId, Type.Literal('draft')], {
      description:
        'Reads this change request in place of what is live. `draft` is your open draft of this page, in the site that the request names; where there is none, what is live.',
    }),
  ),
}

export const reasonField = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Why the change is made; the subject of its commit.',
})

/** Largest number of entries in one part of a list. */
export const MAX_LIST_ENTRIES = 1_000

/** The query parameters of every list. */
export const sliceQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LIST_ENTRIES,
      default: 200,
      description: 'The highest number of entries.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_CURSOR_CHARACTERS,
      description: '`paging.nextCursor` of the answer before.',
    }),
  ),
}

export const idParams = (what: string) =>
  Type.Object({ id: uuid(`The id of the ${what}, as GET /${what}s lists it.`) }, closed)

/** The answer to a deletion. */
export const deletedData = Type.Object({ id: uuid('The id of the deleted resource.') }, { ...closed, title: 'Deleted' })
export type DeletedData = Static<typeof deletedData>

export const fileChange = Type.Object({ path: treePath(), change: Type.Enum(['added', 'modified', 'removed']) }, closed)
export type FileChange = Static<typeof fileChange>

export const errorBody = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.Object(
      {
        code: Type.String({
          maxLength: 64,
          description: 'A stable code, listed in the error reference.',
          examples: ['page_not_found'],
        }),
        message: sentence({ description: 'What is wrong and what to do, for people.' }),
        requestId: Type.String({
          maxLength: 128,
          description: 'The id of the request, as in the `X-Request-Id` field and in the log.',
        }),
        details: Type.Optional(Type.Unknown({ description: 'The values at fault; the form depends on the code.' })),
      },
      closed,
    ),
  },
  { ...closed, title: 'Error' },
)
