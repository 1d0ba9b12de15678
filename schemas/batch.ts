// Batches: many changes of pages and records as one commit.

import { type Static, Type } from 'typebox'
import { fileBytes, filePath, force, overwrite } from './files.js'
import { recordBody } from './collections.js'
import { pagePath, treePath, url } from './answer-texts.js'
import { closed, nullable, oid, reasonField, siteIdField, uuid } from './common.js'
import { mergedWithAny } from './merging.js'
import {
  changeWarning,
  createPageBody,
  dryRunData,
  editContentBody,
  pathField,
  putPageBody,
  replaceContentBody,
  leaves,
  titleToSet,
} from './pages.js'

const tag = Type.String({
  pattern: '^(\\*|"[0-9a-f]{40}")$',
  maxLength: 42,
  description: 'Change it only if this is still its entity tag, quotes included. A stale one refuses the batch.',
  examples: ['"9fceb02d0ae598e95dc970b74767f19372d61af8"'],
})
const ifMatch = Type.Optional(tag)
const id = Type.String({ minLength: 1, maxLength: 2048, description: 'The id or path of the page.' })
const collectionId = Type.String({ minLength: 1, maxLength: 255, description: 'The id or name of the collection.' })
const recordId = uuid('The id of the record.')
const { path, html, templateId, title, asPage } = createPageBody.properties
const { data } = recordBody.properties

const operation = Type.Union([
  Type.Object({ op: Type.Literal('createPage'), path, html, templateId, title, asPage }, closed),
  Type.Object({ op: Type.Literal('putPage'), path: pathField, ...putPageBody.properties, ifMatch }, closed),
  Type.Object({ op: Type.Literal('replacePage'), id, html: replaceContentBody.properties.html, ifMatch }, closed),
  Type.Object({ op: Type.Literal('editContent'), id, edits: editContentBody.properties.edits, ifMatch: tag }, closed),
  Type.Object({ op: Type.Literal('retitlePage'), id, title: titleToSet, ifMatch }, closed),
  Type.Object({ op: Type.Literal('movePage'), id, path: pathField, ifMatch }, closed),
  Type.Object({ op: Type.Literal('unpublishPage'), id, ...leaves, ifMatch }, closed),
  Type.Object({ op: Type.Literal('putFile'), path: filePath, ...fileBytes, force, ifMatch }, closed),
  Type.Object({ op: Type.Literal('deleteFile'), path: filePath, ifMatch }, closed),
  Type.Object({ op: Type.Literal('createRecord'), collectionId, data }, closed),
  Type.Object({ op: Type.Literal('putRecord'), collectionId, recordId, data, ifMatch }, closed),
  Type.Object({ op: Type.Literal('deleteRecord'), collectionId, recordId, ifMatch }, closed),
])

export type BatchOperation = Static<typeof operation>

/** `op` selects the schema, so that an error names a field of the intended operation. */
const anyOperation = Type.Unsafe<BatchOperation>({
  type: 'object',
  discriminator: { propertyName: 'op' },
  required: ['op'],
  oneOf: operation.anyOf,
})

export const batchBody = Type.Object(
  {
    operations: Type.Array(anyOperation, {
      minItems: 1,
      maxItems: 500,
      description:
        'All for one site. No two may change the same page, file or record. Preconditions refer to the site before the batch.',
    }),
    asPage: Type.Optional(Type.Boolean({ description: 'The `asPage` of operations that have none.' })),
    overwrite,
    reason: Type.Optional(reasonField),
    siteId: Type.Optional(siteIdField),
  },
  { ...closed, title: 'Batch' },
)
export type BatchBody = Static<typeof batchBody>

const batchItem = Type.Object(
  {
    op: Type.String({ maxLength: 32 }),
    id: treePath({ description: 'The id of the page or record; the path of a file.' }),
    path: Type.Optional(treePath({ description: 'The path of a page or file.' })),
    url: Type.Optional(url({ description: 'The URL of a page or file.' })),
    collectionId: Type.Optional(uuid('The collection of a record.')),
    created: Type.Boolean({ description: 'Whether it is new or was unpublished.' }),
    changed: Type.Boolean({ description: 'False where nothing differed.' }),
    mergedWith: mergedWithAny,
    warnings: Type.Optional(
      Type.Array(changeWarning, {
        maxItems: 10,
        description: 'Present for a page at the path of a file, and for a pointer of Git LFS.',
      }),
    ),
  },
  closed,
)
export type BatchItemData = Static<typeof batchItem>

export const batchData = Type.Object(
  {
    commit: nullable(oid('The commit, which `POST /sites/{id}/revert` undoes; null where nothing differed.')),
    changed: Type.Boolean(),
    items: Type.Array(batchItem, {
      maxItems: 500,
      description: "In the order of the operations. The entity tag of a changed page or record is the commit's id.",
    }),
    dryRun: Type.Optional(dryRunData),
  },
  { ...closed, title: 'BatchResult' },
)
export type BatchData = Static<typeof batchData>

export const editPagesBody = Type.Object(
  {
    pages: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
        minItems: 1,
        maxItems: 500,
        description: 'Ids or paths. Without them, `prefix`.',
      }),
    ),
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: 'All published pages whose path begins with this.' }),
    ),
    edits: editContentBody.properties.edits,
    count: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 10_000_000,
        description: 'Places to replace in all; required with `occurrences: "all"`.',
      }),
    ),
    reason: Type.Optional(reasonField),
    siteId: Type.Optional(siteIdField),
  },
  { ...closed, title: 'EditPages' },
)
export type EditPagesBody = Static<typeof editPagesBody>

export const editPagesData = Type.Object(
  {
    commit: nullable(oid('The commit; null in a dry run, and where nothing differed.')),
    changed: Type.Boolean(),
    count: Type.Optional(
      Type.Integer({
        minimum: 0,
        description: 'How many places were replaced; not in the answer to a repeated request.',
      }),
    ),
    pages: Type.Array(
      Type.Object(
        {
          id: uuid('The id of the page.'),
          path: pagePath(),
          count: Type.Optional(Type.Integer({ minimum: 0, description: 'How many places of it were replaced.' })),
        },
        closed,
      ),
      { maxItems: 500, description: 'The pages that were changed.' },
    ),
    dryRun: Type.Optional(dryRunData),
  },
  { ...closed, title: 'EditedPages' },
)
export type EditPagesData = Static<typeof editPagesData>
