// Pages: the bodies that clients send, and the answers.

import { type Static, Type } from 'typebox'
import { HIGHEST_HTML_BYTES, MAX_DIFF_CHARACTERS } from '../src/model/limits.js'
import { pagePath, sentence, titleText, url } from './answer-texts.js'
import {
  closed,
  entityTag,
  fileChange,
  nullable,
  oid,
  reasonField,
  siteIdField,
  ofRequest,
  sliceQuery,
  toDraft,
  toRequest,
  timestamp,
  uuid,
} from './common.js'
import { content } from './content.js'
import { mergedWith, onConflict } from './merging.js'

export const pathField = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Where the page is served, such as `/about` or `/docs/`. A missing first slash is added.',
  examples: ['/about'],
})

const html = Type.String({
  minLength: 1,
  maxLength: HIGHEST_HTML_BYTES,
  description: 'The complete document, served byte for byte as UTF-8.',
})

const title = Type.String({
  maxLength: 255,
  description: "The title in lists. Without one, or for a blank one: the document's `<title>`.",
})

const templateId = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'A template of `GET /templates`, rendered with `title`; `html` fills its content.',
})

const status = Type.Enum(['published', 'unpublished'], { description: 'Whether visitors can see the page.' })

const asPage = Type.Optional(
  Type.Boolean({
    description: 'A path of a file, such as `/style.css`: `true` takes it without a warning, `false` refuses it.',
  }),
)

/** Spec §2 and §8. */
export const createPageBody = Type.Object(
  {
    path: pathField,
    html: Type.Optional(html),
    templateId: Type.Optional(templateId),
    title: Type.Optional(title),
    duplicateOf: Type.Optional(
      uuid('A page of the site whose html, title and template the new page gets; instead of `html` and `templateId`.'),
    ),
    asPage,
    siteId: Type.Optional(siteIdField),
  },
  { ...closed, title: 'CreatePage' },
)

export const replaceContentBody = Type.Object(
  { html, reason: Type.Optional(reasonField) },
  { ...closed, title: 'ReplaceContent' },
)

const edit = Type.Object(
  {
    find: Type.Optional(Type.String({ minLength: 1, maxLength: 65_536, description: 'Text.' })),
    lines: Type.Optional(
      Type.String({
        pattern: '^[1-9][0-9]{0,8}-[1-9][0-9]{0,8}$',
        maxLength: 19,
        description: 'The first and the last line to replace, counted from 1.',
        examples: ['10-12'],
      }),
    ),
    pattern: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1_000,
        description: 'A regular expression that runs in linear time.',
      }),
    ),
    replace: Type.String({
      maxLength: HIGHEST_HTML_BYTES,
      description: 'For a pattern with `$1` to `$9` and `$&`.',
    }),
    occurrences: Type.Optional(
      Type.Union([Type.Integer({ minimum: 1, maximum: 100_000 }), Type.Literal('all')], {
        description: 'How often it must be found: a number, or `all`. Default: once.',
      }),
    ),
  },
  {
    ...closed,
    minProperties: 2,
    maxProperties: 3,
    description: 'One of `find`, `pattern` and `lines`, with `replace`.',
  },
)

export const edits = Type.Array(edit, {
  minItems: 1,
  maxItems: 100,
  description: 'All refer to the text as it was read. They must not overlap.',
  examples: [[{ find: 'old text', replace: 'new text' }]],
})

export const editContentBody = Type.Object(
  { edits, reason: Type.Optional(reasonField) },
  { ...closed, title: 'EditContent' },
)

export const putPageBody = Type.Object({ html, title: Type.Optional(title), asPage }, { ...closed, title: 'PutPage' })

export const titleToSet = nullable(title)

export const rewriteLinksField = Type.Boolean({
  description: 'Also changes the links of other pages to what moves, and those of what moves, in the same commit.',
})

export const patchPageBody = Type.Object(
  {
    title: Type.Optional(titleToSet),
    path: Type.Optional(
      Type.String({ ...pathField, description: 'Moves the page to this path; its old address leads there.' }),
    ),
    rewriteLinks: Type.Optional(rewriteLinksField),
    reason: Type.Optional(reasonField),
  },
  { ...closed, title: 'RetitlePage', minProperties: 1 },
)

/** The answer at the address of an unpublished page. */
export const leaves = {
  gone: Type.Optional(Type.Boolean({ description: 'Visitors get 410 at its address, until it is published again.' })),
  redirectTo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'A path of the site, or a URL, that its address leads to (308) until it is published again.',
      examples: ['/new'],
    }),
  ),
}

const dryRun = Type.Optional(Type.Boolean({ description: 'Describes the change in `dryRun` and writes nothing.' }))

export const dryRunQuery = Type.Object({ dryRun, ...toRequest }, closed)

export const unpublishQuery = Type.Object({ dryRun, ...leaves, ...toRequest }, closed)

export const mergeQuery = Type.Object({ dryRun, ...toRequest, onConflict }, closed)

/** The same for a write to one page. */
export const pageMergeQuery = Type.Object({ dryRun, ...toDraft, onConflict }, closed)

export const changeWarning = Type.Object(
  {
    code: Type.Enum([
      'broken_link',
      'lfs_pointer',
      'links_unchecked',
      'named_as_file',
      'names_differ_by_case',
      'no_tags',
      'no_title',
      'page_too_large',
    ]),
    path: nullable(pagePath({ description: 'The page or file of the warning.' })),
    message: sentence(),
  },
  closed,
)
export type ChangeWarning = Static<typeof changeWarning>

const linkedFrom = Type.Object(
  {
    id: uuid('The id of the page that has the link.'),
    path: pagePath(),
    line: Type.Integer({ minimum: 1, description: 'The line of its first such link, counted from 1.' }),
  },
  closed,
)
export type LinkedFrom = Static<typeof linkedFrom>

export const dryRunData = Type.Object(
  {
    created: Type.Boolean({ description: 'Whether the page would be new.' }),
    files: Type.Array(fileChange, {
      maxItems: 1_000,
      description: 'The first 1,000 files of the repository that would change.',
    }),
    diff: nullable(
      Type.String({
        maxLength: MAX_DIFF_CHARACTERS,
        description: 'In the format of `diff -u`; null where the texts are too large to compare.',
      }),
    ),
    warnings: Type.Array(changeWarning, {
      maxItems: 1_000,
      description: 'Links within the site that would break, pages without a title or tags, and names like others.',
    }),
    previewUrl: nullable(
      url({
        description: 'A preview of the site, for everybody who has the URL, until `expiresAt`.',
      }),
    ),
    expiresAt: nullable(timestamp('When the preview expires; it may end earlier where there are many.')),
    linkedFrom: Type.Optional(
      Type.Array(linkedFrom, { maxItems: 500, description: 'Of a move: the first 500 pages that link to what moves.' }),
    ),
  },
  { ...closed, title: 'DryRun' },
)
export type DryRunData = Static<typeof dryRunData>

export const pageData = Type.Object(
  {
    id: uuid("The page's id, which unpublishing and publishing again do not change."),
    siteId: uuid('The site it is on.'),
    path: pagePath({ description: 'The canonical path.', examples: ['/about'] }),
    url: url({
      description: 'The public URL.',
      examples: ['http://demo.localhost:8080/about'],
    }),
    title: nullable(titleText()),
    titleIsSet: Type.Boolean({
      description: "Whether a client set the title, which then stays; otherwise it is the document's, and follows it.",
    }),
    templateId: nullable(Type.String({ maxLength: 255, description: 'The template that it was created from.' })),
    status,
    version: Type.Object(
      {
        id: oid('The commit of the newest version.'),
        number: Type.Integer({ minimum: 1, description: '1 is the first.' }),
      },
      closed,
    ),
    etag: entityTag('Send it as `If-Match` to change the page only if it is unchanged.'),
    size: Type.Integer({ minimum: 0, description: 'Bytes of the html; 0 while unpublished.' }),
    createdAt: timestamp('Commit time of the first version.'),
    updatedAt: timestamp('Commit time of the last change.'),
    html: Type.Optional(
      Type.String({ maxLength: HIGHEST_HTML_BYTES, description: 'Present if one page is requested.' }),
    ),
    ...content,
    changed: Type.Optional(Type.Literal(false, { description: 'Present if nothing differed: no version was made.' })),
    mergedWith,
    warnings: Type.Optional(
      Type.Array(changeWarning, {
        maxItems: 10,
        description: 'Present if a page was published at the path of a file.',
      }),
    ),
    dryRun: Type.Optional(dryRunData),
  },
  { ...closed, title: 'Page' },
)
export type PageData = Static<typeof pageData>

export const listPagesQuery = Type.Object(
  {
    ...sliceQuery,
    id: Type.Optional(uuid('Only the page with this id: with `status`, an unpublished one too.')),
    path: Type.Optional(pathField),
    ...ofRequest,
    as: Type.Optional(
      Type.Enum(['html', 'text', 'markdown', 'outline'], {
        description: 'With `path`: answers the content of the page in this form.',
      }),
    ),
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: 'Only pages whose path begins with this.' }),
    ),
    q: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Only pages with this text in path or title, ignoring case.' }),
    ),
    status: Type.Optional(
      Type.Enum(['published', 'unpublished', 'all'], { default: 'published', description: 'Which pages to list.' }),
    ),
  },
  closed,
)

/** `POST /pages?path=&title=` with raw HTML. */
export const createPageQuery = Type.Object(
  {
    path: Type.Optional(pathField),
    title: Type.Optional(title),
    templateId: Type.Optional(templateId),
    dryRun,
    ...toDraft,
  },
  closed,
)

export const putPageQuery = Type.Object(
  { path: pathField, title: Type.Optional(title), dryRun, ...toRequest, onConflict },
  closed,
)

export const listBacklinksQuery = Type.Object(sliceQuery, closed)

export const backlinkData = Type.Object(
  {
    id: uuid('The id of the page that has the link.'),
    siteId: uuid('The site of both pages.'),
    path: pagePath(),
    url: url(),
    title: nullable(titleText()),
    line: Type.Integer({ minimum: 1, description: 'The line of its first such link, counted from 1.' }),
  },
  { ...closed, title: 'Backlink' },
)
export type BacklinkData = Static<typeof backlinkData>
