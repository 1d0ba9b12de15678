// Versions of a page: rollbacks and differences.

import { type Static, Type } from 'typebox'
import { HIGHEST_HTML_BYTES, MAX_DIFF_CHARACTERS } from '../src/model/limits.js'
import { author, commitText } from './answer-texts.js'
import { closed, entityTag, nullable, ofRequest, oid, reasonField, timestamp, uuid, verified } from './common.js'
import { content } from './content.js'
import { makerFields } from './makers.js'

export const versionData = Type.Object(
  {
    id: oid('The commit that made the version.'),
    number: Type.Integer({ minimum: 1 }),
    action: Type.Enum(['publish', 'replace', 'unpublish', 'rollback', 'revert', 'move']),
    author: author({ description: "The key's label, or the name of the committer's author field." }),
    message: commitText({
      description: "The commit's message. A reason is its first line; then the operation is the last.",
    }),
    verified,
    size: Type.Integer({ minimum: 0 }),
    etag: entityTag("The version's entity tag."),
    createdAt: timestamp('Commit time.'),
    ...makerFields,
    withdrawn: Type.Optional(Type.Literal(true, { description: 'Present if only keys can read the version.' })),
    html: Type.Optional(
      nullable(
        Type.String({
          maxLength: HIGHEST_HTML_BYTES,
          description: 'Present if one version is requested; null where the version unpublished the page.',
        }),
      ),
    ),
    ...content,
  },
  { ...closed, title: 'Version' },
)
export type VersionData = Static<typeof versionData>

export const versionName = {
  description: 'The number of a version, or the full id of its commit.',
  pattern: '^([1-9][0-9]{0,9}|[0-9a-f]{40})$',
  maxLength: 40,
} as const

export const versionParams = Type.Object({ id: uuid('The id of the page.'), version: Type.String(versionName) }, closed)

export const rollbackBody = Type.Object(
  {
    version: Type.Union([
      Type.Integer({ minimum: 1, description: 'The number of the version.' }),
      Type.String(versionName),
    ]),
    reason: Type.Optional(reasonField),
  },
  { ...closed, title: 'Rollback' },
)

export const diffQuery = Type.Object(
  {
    from: Type.Optional(Type.String({ ...versionName, description: 'Default: the version before `to`.' })),
    to: Type.Optional(Type.String({ ...versionName, description: 'Default: the newest version.' })),
    ...ofRequest,
  },
  closed,
)

const versionRef = Type.Object({ id: oid('Commit.'), number: Type.Integer({ minimum: 1 }) }, closed)

export const textDiff = {
  unified: nullable(
    Type.String({
      maxLength: MAX_DIFF_CHARACTERS,
      description: 'In the format of `diff -u`; null where the versions are too large to compare.',
    }),
  ),
  hunks: nullable(
    Type.Array(
      Type.Object(
        {
          oldStart: Type.Integer(),
          oldLines: Type.Integer(),
          newStart: Type.Integer(),
          newLines: Type.Integer(),
          lines: Type.Array(Type.String({ maxLength: MAX_DIFF_CHARACTERS }), { maxItems: 40_000 }),
        },
        closed,
      ),
      { maxItems: 5_000 },
    ),
  ),
}

export const diffData = Type.Object(
  {
    from: nullable(versionRef),
    to: versionRef,
    ...textDiff,
  },
  { ...closed, title: 'VersionDiff' },
)
export type VersionDiffData = Static<typeof diffData>
