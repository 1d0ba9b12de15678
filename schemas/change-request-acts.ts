// Publishing, approving, updating and comparing change requests.

import { type Static, Type } from 'typebox'
import { HIGHEST_HTML_BYTES, MAX_TREE_PATH_CHARACTERS } from '../src/model/limits.js'
import { pagePath, treePath } from './answer-texts.js'
import { title } from './change-requests.js'
import { closed, fileChange, nullable, oid, sliceQuery, timestamp, uuid } from './common.js'
import { dryRunData } from './pages.js'
import { textDiff } from './versions.js'

const MAX_CHOSEN = 1_000
const MAX_CONFLICTS = 50

const chosenPaths = (description: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_TREE_PATH_CHARACTERS }), {
      maxItems: MAX_CHOSEN,
      description,
      examples: [['about.html']],
    }),
  )

export const publishRequestBody = Type.Object(
  {
    title: Type.Optional(title),
    ifHead: Type.Optional(
      oid(
        'The `head` of the change request that you looked at: 412 if it is another by now, and nothing is published.',
      ),
    ),
    at: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 64,
        description:
          'Publishes it later, at this time with its offset, in your name and with the rights that you have then. It replaces a time set before. A title renames it now.',
        examples: ['2026-12-01T09:00:00+01:00'],
      }),
    ),
    dryRun: Type.Optional(Type.Boolean({ default: false, description: 'Only says what would be changed now.' })),
  },
  { ...closed, title: 'PublishChangeRequest' },
)

export const publishedRequestData = Type.Object(
  {
    id: uuid('The change request.'),
    siteId: uuid('The site.'),
    number: Type.Integer({ minimum: 1, description: 'Its number in the site.' }),
    commit: nullable(
      oid('The commit on main that published it; null for a dry run, and for one that is published later.'),
    ),
    publishAt: Type.Optional(timestamp('When it is published, if that is later.')),
    dryRun: Type.Optional(dryRunData),
  },
  { ...closed, title: 'PublishedChangeRequest' },
)
export type PublishedRequestData = Static<typeof publishedRequestData>

export const updateRequestBody = Type.Object(
  {
    ours: chosenPaths('Paths where the version of the change request is kept.'),
    theirs: chosenPaths('Paths where the version of main is taken.'),
  },
  { ...closed, title: 'UpdateChangeRequest' },
)

export const branchConflict = Type.Object(
  {
    path: treePath({ description: 'The path in the repository.' }),
    reason: Type.Enum(['changed', 'missing', 'in_the_way', 'invalid'], {
      description:
        '`changed`: both changed it. `missing`: the change request lacks it. `in_the_way`: something else is there. `invalid`: the result breaks a schema.',
    }),
    hunks: Type.String({
      maxLength: 65_536,
      description: "The text with git's conflict markers, where `ours` is the change request, or what is wrong.",
    }),
    base: Type.Optional(oid('The blob that both began with.')),
    ours: Type.Optional(oid('The blob of the change request.')),
    theirs: Type.Optional(oid('The blob of main.')),
  },
  { ...closed, title: 'BranchConflict' },
)
export type BranchConflictData = Static<typeof branchConflict>

export const updatedRequestData = Type.Object(
  {
    changed: Type.Boolean({ description: 'False if it had all of main, or if there are conflicts.' }),
    commit: oid('The newest commit of the change request.'),
    conflicts: Type.Array(branchConflict, {
      maxItems: MAX_CONFLICTS,
      description: 'The first 50. Nothing was changed.',
    }),
  },
  { ...closed, title: 'UpdatedChangeRequest' },
)
export type UpdatedRequestData = Static<typeof updatedRequestData>

export const approveRequestBody = Type.Object(
  { commit: oid('The `head` of the change request that you looked at. A newer commit needs another approval.') },
  { ...closed, title: 'ApproveChangeRequest' },
)

export const listChangesQuery = Type.Object(
  {
    ...sliceQuery,
    html: Type.Optional(
      Type.Boolean({ default: false, description: 'Adds `html` to the first page of the answer, up to 256 KiB each.' }),
    ),
  },
  closed,
)

const html = (description: string) => nullable(Type.String({ maxLength: HIGHEST_HTML_BYTES, description }))

export const requestChangeData = Type.Object(
  {
    ...fileChange.properties,
    page: nullable(
      Type.Object(
        {
          id: uuid('The page.'),
          path: pagePath({ description: 'Its path.' }),
          title: nullable(Type.String({ maxLength: 255, description: 'Its title.' })),
        },
        { ...closed, description: 'The page that the file belongs to; null for other files.' },
      ),
    ),
    html: Type.Optional(
      Type.Object(
        { before: html('As it is live; null where it is not.'), after: html('With the change request; null without.') },
        { ...closed, description: 'Its HTML, where it was asked for.' },
      ),
    ),
  },
  { ...closed, title: 'ChangeOfRequest' },
)
export type RequestChangeData = Static<typeof requestChangeData>

export const changeDiffQuery = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: MAX_TREE_PATH_CHARACTERS,
      description: 'The path of a page, with a slash in front, or a `path` of the changes.',
    }),
    as: Type.Optional(
      Type.Enum(['html', 'text', 'markdown'], { default: 'html', description: 'Compares pages in this form.' }),
    ),
  },
  closed,
)

export const changeDiffData = Type.Object(
  { path: treePath({ description: 'The path in the repository.' }), ...textDiff },
  { ...closed, title: 'ChangeDiff' },
)
export type ChangeDiffData = Static<typeof changeDiffData>
