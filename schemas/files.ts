// Files that are not pages: images, styles, scripts, rules.

import { type Static, Type } from 'typebox'
import type { Content } from '../src/model/bytes.js'
import { HIGHEST_HTML_BYTES, MAX_REMOTE_URL_CHARACTERS, MAX_TREE_PATH_CHARACTERS } from '../src/model/limits.js'
import { PICTURE_WIDTHS } from '../src/model/paths/picture-form.js'
import { author, commitText, mediaTypeText, treePath, url } from './answer-texts.js'
import {
  closed,
  nullable,
  ofRequest,
  oid,
  reasonField,
  siteIdField,
  sliceQuery,
  timestamp,
  toRequest,
  verified,
} from './common.js'
import { mergedWith, onConflict } from './merging.js'
import { changeWarning, dryRunData, editContentBody } from './pages.js'
import { versionName } from './versions.js'
import { partFields, partQuery } from './content.js'

/** Includes the leading slash. A new file's path has at most 1,024 bytes; pushed files may have longer ones. */
const MAX_PATH_CHARACTERS = MAX_TREE_PATH_CHARACTERS + 1

export const filePath = Type.String({
  minLength: 1,
  maxLength: MAX_PATH_CHARACTERS,
  description: 'Where the file lies and is served, such as `/img/logo.svg`. A missing first slash is added.',
  examples: ['/img/logo.svg'],
})

const MAX_INLINE_BYTES = 1024 * 1024

/** The bytes of a file within JSON: exactly one of the four. */
export const fileBytes = {
  text: Type.Optional(Type.String({ maxLength: MAX_INLINE_BYTES, description: 'The text of the file, as UTF-8.' })),
  base64: Type.Optional(
    Type.String({
      maxLength: Math.ceil(MAX_INLINE_BYTES / 3) * 4,
      description: 'Its bytes, up to 1 MiB (RFC 4648 §4).',
    }),
  ),
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_REMOTE_URL_CHARACTERS,
      description: 'An https URL from which the service fetches them.',
    }),
  ),
  oid: Type.Optional(oid('The id of bytes in the history of the site, or received by one of its deploys.')),
}

export const force = Type.Optional(
  Type.Boolean({ description: 'Takes `_redirects` and `_headers` with wrong lines, which are then skipped.' }),
)

export const overwrite = Type.Optional(
  Type.Boolean({ description: '`false`: a file that is there is replaced only under `ifMatch`. Default: `true`.' }),
)

const dryRun = Type.Optional(Type.Boolean({ description: 'Describes the change in `dryRun` and writes nothing.' }))

export const listFilesQuery = Type.Object(
  {
    path: Type.Optional(filePath),
    prefix: Type.Optional(
      Type.String({ maxLength: MAX_PATH_CHARACTERS, description: 'Files whose path begins with it: `/img/`.' }),
    ),
    q: Type.Optional(Type.String({ maxLength: 256, description: 'A part of the path, ignoring case.' })),
    ...ofRequest,
    ...sliceQuery,
  },
  closed,
)

export const putFileQuery = Type.Object(
  {
    path: filePath,
    force,
    dryRun,
    ...toRequest,
    onConflict,
  },
  closed,
)

export const filePathQuery = Type.Object({ path: filePath, ...ofRequest }, closed)

export const fileTextQuery = Type.Object(
  { path: filePath, version: Type.Optional(Type.String(versionName)), ...partQuery, ...ofRequest },
  closed,
)
export type FileTextQuery = Static<typeof fileTextQuery>

export const editFileQuery = Type.Object({ path: filePath, dryRun, ...toRequest, onConflict }, closed)

export const deleteFileQuery = Type.Object({ path: filePath, dryRun, ...toRequest }, closed)

export const fileVersionsQuery = Type.Object({ path: filePath, ...ofRequest, ...sliceQuery }, closed)

export const writeFileBody = Type.Object(
  {
    path: filePath,
    ...fileBytes,
    force,
    overwrite,
    reason: Type.Optional(reasonField),
    siteId: Type.Optional(siteIdField),
  },
  { ...closed, title: 'WriteFile' },
)

export const editFileBody = Type.Object(
  { edits: editContentBody.properties.edits, force, reason: Type.Optional(reasonField) },
  { ...closed, title: 'EditFile' },
)

export const moveFileBody = Type.Object(
  { from: filePath, to: filePath, force, reason: Type.Optional(reasonField), siteId: Type.Optional(siteIdField) },
  { ...closed, title: 'MoveFile' },
)

export const rollbackFileBody = Type.Object(
  {
    path: filePath,
    version: Type.Union([Type.Integer({ minimum: 1 }), oid('The commit of the version.')], {
      description: 'A number, or the full id of its commit.',
    }),
    reason: Type.Optional(reasonField),
    siteId: Type.Optional(siteIdField),
  },
  { ...closed, title: 'RollbackFile' },
)

export const fileData = Type.Object(
  {
    path: treePath({ description: 'The literal name, with a slash before it.' }),
    url: nullable(url({ description: 'Null for `_redirects` and `_headers`, never served.' })),
    oid: oid('The id of the bytes as git has it (SHA-1 of `blob <size>\\0` and the bytes): the entity tag.'),
    size: Type.Integer({ description: 'Bytes.' }),
    mediaType: mediaTypeText(),
    updatedAt: timestamp('When its bytes last changed.'),
    widths: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: Math.max(...PICTURE_WIDTHS) }), {
        maxItems: PICTURE_WIDTHS.length,
        description:
          'Present for a picture of which visitors can get smaller forms: each width in pixels for `?w=` at its URL. `&format=webp` or `avif` asks for another format.',
      }),
    ),
    commit: Type.Optional(oid('In the answer to a write: the commit that it made.')),
    changed: Type.Optional(Type.Literal(false, { description: 'Present if the bytes were there already.' })),
    replaced: Type.Optional(
      Type.Object(
        { oid: oid('The id of the bytes that were there before.'), size: Type.Integer({ description: 'Bytes.' }) },
        { ...closed, description: 'Present if a write replaced the bytes of a file.' },
      ),
    ),
    mergedWith,
    warnings: Type.Optional(
      Type.Array(changeWarning, {
        maxItems: 10,
        description:
          'Present if a write put a pointer of Git LFS there, or a page that is too large to be more than a file.',
      }),
    ),
    dryRun: Type.Optional(dryRunData),
  },
  { ...closed, title: 'File' },
)
export type FileData = Static<typeof fileData>

const {
  commit: _commit,
  changed: _changed,
  replaced: _replaced,
  mergedWith: _mergedWith,
  warnings: _warnings,
  dryRun: _dryRun,
  ...described
} = fileData.properties

export const fileTextData = Type.Object(
  {
    ...described,
    version: Type.Optional(
      Type.Object(
        { id: oid('The commit.'), number: Type.Integer({ minimum: 1 }) },
        { ...closed, description: 'Present if a version was requested.' },
      ),
    ),
    content: Type.Optional(
      Type.String({
        maxLength: HIGHEST_HTML_BYTES,
        description: 'The text, or the part that was requested. A byte order mark at its beginning is part of it.',
      }),
    ),
    ...partFields,
  },
  { ...closed, title: 'FileText' },
)
export type FileTextData = Static<typeof fileTextData>

/** Bytes of any media type instead of JSON. */
export const fileContent = Type.Unsafe<Content>({ type: 'string', format: 'binary' })

export const deletedFileData = Type.Object(
  { path: treePath(), commit: nullable(oid('The commit; null in a dry run.')), dryRun: Type.Optional(dryRunData) },
  { ...closed, title: 'DeletedFile' },
)
export type DeletedFileData = Static<typeof deletedFileData>

export const fileVersionData = Type.Object(
  {
    id: oid('The commit.'),
    number: Type.Integer({ minimum: 1, description: '1 is the first.' }),
    action: Type.Enum(['add', 'replace', 'delete', 'rollback', 'revert']),
    oid: nullable(oid('The id of the bytes; null where the version took the file away.')),
    size: Type.Integer(),
    author: author(),
    message: commitText({
      description: 'Subject and body of the commit, and the operation if a reason is the subject.',
    }),
    verified,
    createdAt: timestamp('The time of the commit.'),
  },
  { ...closed, title: 'FileVersion' },
)
export type FileVersionData = Static<typeof fileVersionData>
