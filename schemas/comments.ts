// Comments on change requests and on versions of pages.

import { type Static, Type } from 'typebox'
import { MAX_COMMENT_CHARACTERS, MAX_TREE_PATH_CHARACTERS } from '../src/model/limits.js'
import { author } from './answer-texts.js'
import { closed, nullable, oid, sliceQuery, timestamp, uuid } from './common.js'

const MAX_QUOTE_CHARACTERS = 500
const MAX_AROUND_CHARACTERS = 100
const MAX_LINE = 2_147_483_647

const text = Type.String({
  minLength: 1,
  maxLength: MAX_COMMENT_CHARACTERS,
  description: 'Plain text.',
  examples: ['We close at 6 on Fridays.'],
})

const around = (where: string) =>
  Type.Optional(Type.String({ maxLength: MAX_AROUND_CHARACTERS, description: `The text just ${where} it.` }))

/** A TextQuoteSelector of the Web Annotation Data Model (https://www.w3.org/TR/annotation-model/#text-quote-selector). */
const quote = Type.Object(
  {
    exact: Type.String({ minLength: 1, maxLength: MAX_QUOTE_CHARACTERS, description: 'The quoted text.' }),
    prefix: around('before'),
    suffix: around('after'),
  },
  { ...closed, description: 'The words that it is about, as a TextQuoteSelector of W3C Web Annotation.' },
)

const line = Type.Integer({ minimum: 1, maximum: MAX_LINE })
const lines = Type.Object(
  { from: line, to: line },
  { ...closed, description: 'The lines that it is about, in the source at `commit`.' },
)

const inReplyTo = uuid('The comment that it answers. All answers belong to the first comment of the thread.')

/** The fields of a comment at any place. */
export const place = { quote: Type.Optional(quote), lines: Type.Optional(lines) }
export const pathField = Type.String({
  minLength: 1,
  maxLength: MAX_TREE_PATH_CHARACTERS,
  description: 'The path of the page, with a slash in front, or of the file. Left out: the whole change request.',
})

const written = { text, inReplyTo: Type.Optional(inReplyTo) }
const resolve = Type.Optional(
  Type.Boolean({ default: false, description: 'With `inReplyTo`: the answer resolves the thread too.' }),
)

export const commentOnRequestBody = Type.Object(
  {
    ...written,
    resolve,
    path: Type.Optional(pathField),
    ...place,
    commit: Type.Optional(oid('The `head` of the change request that you looked at. Default: as it is now.')),
    asksForChanges: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Asks its author for changes: a request under review is a draft again. Needs the scope `write`.',
      }),
    ),
  },
  { ...closed, title: 'CommentOnChangeRequest' },
)

export const commentOnPageBody = Type.Object(
  {
    ...written,
    resolve,
    ...place,
    commit: Type.Optional(oid('The `id` of the version that you looked at. Default: the newest.')),
  },
  { ...closed, title: 'CommentOnPage' },
)

export const changeCommentBody = Type.Object(
  {
    text: Type.Optional(text),
    resolved: Type.Optional(Type.Boolean({ description: 'Resolves its thread, or opens it again.' })),
  },
  { ...closed, title: 'ChangeComment', minProperties: 1 },
)

const open = Type.Optional(Type.Boolean({ default: false, description: 'Only threads that are not resolved.' }))

export const listPageCommentsQuery = Type.Object({ ...sliceQuery, open }, closed)
export const listRequestCommentsQuery = Type.Object(
  {
    ...sliceQuery,
    open,
    path: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_TREE_PATH_CHARACTERS,
        description: 'Only those on this page or file.',
      }),
    ),
  },
  closed,
)

const AUTHOR_KINDS = ['person', 'agent', 'key', 'token', 'operator', 'guest'] as const

const commentAuthor = Type.Object(
  {
    label: author({ description: 'The name. A guest chose it: nobody has checked it.' }),
    kind: Type.Enum([...AUTHOR_KINDS]),
    userId: nullable(
      Type.String({ maxLength: 100, description: 'The person who wrote it, or for whom that key or agent acts.' }),
    ),
  },
  closed,
)

export const commentData = Type.Object(
  {
    id: uuid('The id.'),
    siteId: uuid('The site.'),
    changeRequest: nullable(uuid('The change request that it is on; null on a page.')),
    page: nullable(uuid('The page that it is on; null on a change request.')),
    number: Type.Integer({ minimum: 1, description: 'Its place in the order of the comments there.' }),
    commit: oid('The commit that its author looked at.'),
    outdated: Type.Boolean({ description: 'Whether what it is on has another commit by now.' }),
    path: nullable(pathField),
    quote: nullable(quote),
    lines: nullable(lines),
    text,
    inReplyTo: nullable(inReplyTo),
    asksForChanges: Type.Boolean({ description: 'Whether it asks for changes.' }),
    author: commentAuthor,
    mine: Type.Boolean({
      description: 'Whether you wrote it, or a key or agent of yours: then you may change its text.',
    }),
    createdAt: timestamp('When.'),
    editedAt: nullable(timestamp('When its text was changed.')),
    resolvedAt: nullable(timestamp('When its thread was resolved. An answer has that of its thread.')),
    resolvedBy: nullable(author({ description: 'Who resolved its thread.' })),
  },
  { ...closed, title: 'Comment' },
)
export type CommentData = Static<typeof commentData>
export type CommentAuthorKind = (typeof AUTHOR_KINDS)[number]
