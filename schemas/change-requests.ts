// Change requests: changes of a site that are not live yet.

import { type Static, Type } from 'typebox'
import { author } from './answer-texts.js'
import { MAX_MESSAGE_CHARACTERS } from '../src/model/limits.js'
import { closed, nullable, oid, sliceQuery, timestamp, uuid } from './common.js'

export const MAX_TITLE_CHARACTERS = 200
const MAX_MAKERS = 1_000

export const title = Type.String({
  minLength: 1,
  maxLength: MAX_TITLE_CHARACTERS,
  description: 'What it changes; the subject of the commit that publishes it.',
  examples: ['New opening hours'],
})

const openState = ['draft', 'review'] as const
export const REQUEST_STATES = [...openState, 'published', 'closed'] as const

export const createRequestBody = Type.Object(
  {
    title: Type.Optional(title),
    state: Type.Optional(
      Type.Enum([...openState], { default: 'draft', description: '`review`: it is ready to be looked at.' }),
    ),
  },
  { ...closed, title: 'CreateChangeRequest' },
)

export const changeRequestBody = Type.Object(
  {
    title: Type.Optional(title),
    state: Type.Optional(
      Type.Enum([...openState, 'closed'], {
        description: '`closed` ends it unpublished. A closed one can be opened again for 90 days.',
      }),
    ),
  },
  { ...closed, title: 'ChangeChangeRequest', minProperties: 1 },
)

const state = Type.Optional(
  Type.Enum(['open', 'draft', 'review', 'closed', 'all'], {
    default: 'open',
    description: '`open` is `draft` and `review`; `closed` is with those that were published.',
  }),
)
const ownOnly = Type.Optional(Type.Literal('me', { description: 'Only your own.' }))

export const listRequestsQuery = Type.Object(
  {
    ...sliceQuery,
    state,
    author: ownOnly,
    scheduled: Type.Optional(
      Type.Literal(true, { description: 'Only those that have a time, by time. It leaves out `state` and `number`.' }),
    ),
    page: Type.Optional(uuid('Only drafts of this page.')),
    number: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only the one with this number.' }),
    ),
  },
  closed,
)

export const listAllRequestsQuery = Type.Object(
  {
    ...sliceQuery,
    state,
    author: ownOnly,
    waitingFor: Type.Optional(
      Type.Literal('me', {
        description:
          'Only those under review that you may approve and have not, but not your own; and your drafts for which a reviewer asked for changes.',
      }),
    ),
  },
  closed,
)

export const requestCountData = Type.Object(
  {
    waitingForMe: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'As the list with `waitingFor=me`. 100 means 100 or more.',
    }),
  },
  { ...closed, title: 'ChangeRequestCount' },
)
export type RequestCountData = Static<typeof requestCountData>

const maker = Type.Object(
  {
    label: author({ description: 'The name, as commits have it.' }),
    userId: nullable(
      Type.String({ maxLength: 100, description: 'The person behind it; null for keys of the workspace.' }),
    ),
  },
  closed,
)

const approval = Type.Object(
  {
    commit: oid('The commit that was looked at. The approval is of this one alone.'),
    label: author({ description: 'Who approved it.' }),
    userId: Type.String({ maxLength: 100, description: 'The id of that person.' }),
    createdAt: timestamp('When.'),
  },
  closed,
)

export const changeRequestData = Type.Object(
  {
    id: uuid('The id: programs use it.'),
    siteId: uuid('The site that it changes.'),
    number: Type.Integer({ minimum: 1, description: 'The number in its site: people use it.' }),
    title: Type.String({ maxLength: MAX_TITLE_CHARACTERS }),
    state: Type.Enum([...REQUEST_STATES], { description: '`published`: it is a commit on main.' }),
    author: author({ description: 'Who made it.' }),
    mine: Type.Boolean({ description: 'Whether you made it, or a key or agent of yours.' }),
    makers: Type.Array(maker, { maxItems: MAX_MAKERS, description: 'Everybody who wrote to it.' }),
    page: nullable(uuid('The page that it is the draft of.')),
    head: nullable(oid('The newest commit of its branch; null once the branch is removed.')),
    approvals: Type.Array(approval, { maxItems: MAX_MAKERS }),
    openThreads: Type.Integer({ minimum: 0, description: 'Threads of comments that nobody has resolved.' }),
    changesAsked: Type.Boolean({ description: 'Whether a reviewer asked for changes: it is a draft since.' }),
    published: nullable(oid('The commit on main that published it.')),
    publishAt: nullable(timestamp('When it is published by itself.')),
    scheduledBy: nullable(author({ description: 'Who set that time: it is published in this name.' })),
    scheduledHead: nullable(oid('The `head` at that moment. With another one it is held.')),
    heldAt: nullable(
      timestamp('When it was not published at its time. It is tried no more until somebody sets a time again.'),
    ),
    heldCode: nullable(
      Type.String({
        maxLength: 100,
        description: 'The error code of the refusal; `restored`: the service came back from a backup.',
      }),
    ),
    heldReason: nullable(Type.String({ maxLength: MAX_MESSAGE_CHARACTERS, description: 'The refusal, for people.' })),
    createdAt: timestamp('When it was made.'),
    updatedAt: timestamp('Its last change, to the hour.'),
    closedAt: nullable(timestamp('When it was closed or published.')),
  },
  { ...closed, title: 'ChangeRequest' },
)
export type ChangeRequestData = Static<typeof changeRequestData>
