// Deploys: a whole folder published as one commit.

import { type Static, Type } from 'typebox'
import { sentence, treePath, url } from './answer-texts.js'
import { closed, fileChange, nullable, oid, siteIdField, timestamp, uuid } from './common.js'

export const MAX_DEPLOY_FILES = 20_000
/** Longer than any tree path, so that the error for such a name can show it. */
const MAX_NAME_CHARACTERS = 2_048

/** A deploy for a change request is named with it in every call. */
export const deployQuery = Type.Object(
  {
    changeRequest: Type.Optional(
      uuid('The change request that the deploy is for. Each request about the deploy names it.'),
    ),
  },
  closed,
)

const manifestEntry = Type.Object(
  {
    oid: oid('The id of the bytes: SHA-1 of `blob <size>\\0` and the bytes, as `git hash-object` prints it.'),
    size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Bytes.' }),
  },
  closed,
)

const mode = Type.Enum(['merge', 'replace'], {
  default: 'merge',
  description:
    '`merge` adds and replaces; `replace` also unpublishes pages and removes files that the manifest lacks. Records, collections and templates stay.',
})

export const createDeployBody = Type.Object(
  {
    files: Type.Record(Type.String({ minLength: 1, maxLength: MAX_NAME_CHARACTERS }), manifestEntry, {
      minProperties: 0,
      maxProperties: MAX_DEPLOY_FILES,
      description: 'By literal name: `index.html`, `img/logo.svg`. A file with the name of a page becomes that page.',
    }),
    mode: Type.Optional(mode),
    message: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, description: 'Why; the subject of the commit.' }),
    ),
    ifHead: Type.Optional(oid('Publish only if this commit is still the head of the site.')),
    skipInvalid: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Leaves out the files that no site can serve, and lists them in `skipped`. Takes names that some systems cannot check out, empty pages and pages that are not UTF-8, with warnings. Otherwise each of them refuses the deploy.',
      }),
    ),
    keep: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: MAX_NAME_CHARACTERS }), {
        maxItems: MAX_DEPLOY_FILES,
        description: 'Paths that `replace` leaves as they are, and everything below them.',
      }),
    ),
    below: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_NAME_CHARACTERS,
        description: 'A folder, such as `/docs`: `replace` removes only what is below it.',
      }),
    ),
    siteId: Type.Optional(siteIdField),
  },
  { ...closed, title: 'CreateDeploy' },
)

/** One for each file, of each rules file a thousand skipped lines and a thousand others, some pointers of Git LFS and some start pages. */
const MAX_WARNINGS = MAX_DEPLOY_FILES + 4_153

const warning = Type.Object({ path: treePath(), line: Type.Optional(Type.Integer()), message: sentence() }, closed)

const skipped = Type.Array(
  Type.Object({ path: Type.String({ maxLength: MAX_NAME_CHARACTERS }), message: sentence() }, closed),
  { maxItems: MAX_DEPLOY_FILES, description: 'The files that `skipInvalid` left out, each with its reason.' },
)

export const publishedDeployData = Type.Object(
  {
    id: uuid('The id of the deploy.'),
    commit: nullable(oid('The commit; null where nothing differed, and in a dry run.')),
    url: url({ description: 'The site.' }),
    changed: Type.Boolean(),
    created: Type.Integer({ description: 'Pages and files that are new.' }),
    replaced: Type.Integer(),
    unchanged: Type.Integer(),
    removed: Type.Integer(),
    files: Type.Array(fileChange, {
      maxItems: 1_000,
      description: 'The first 1,000 changes, by their tree paths; those of `.pages` last.',
    }),
    warnings: Type.Array(warning, {
      maxItems: MAX_WARNINGS,
      description:
        'Lines of `_redirects` and `_headers` that are skipped or apply in part; names and pages that not all systems take; missing start pages.',
    }),
    skipped: Type.Optional(skipped),
    previewUrl: Type.Optional(nullable(url())),
    expiresAt: Type.Optional(nullable(timestamp('When the preview ends.'))),
  },
  { ...closed, title: 'PublishedDeploy' },
)
export type PublishedDeployData = Static<typeof publishedDeployData>

export const deployData = Type.Object(
  {
    id: uuid('The id of the deploy.'),
    siteId: uuid('The site that it publishes to.'),
    state: Type.Enum(['open', 'published']),
    mode: Type.Enum(['merge', 'replace']),
    message: nullable(Type.String({ maxLength: 500 })),
    ifHead: nullable(oid('Publish only if this commit is still the head of the site.')),
    files: Type.Integer({ description: 'How many files the manifest has.' }),
    bytes: Type.Integer({ description: 'The bytes of all files together.' }),
    missing: Type.Optional(
      Type.Array(oid('Bytes to upload.'), {
        maxItems: MAX_DEPLOY_FILES,
        description: 'Blobs that were not uploaded and are not in the history of the site. Not in lists.',
      }),
    ),
    commit: nullable(oid('The commit that published it; null where it is open, or nothing differed.')),
    skipped: Type.Optional(skipped),
    warnings: Type.Optional(Type.Array(warning, { maxItems: MAX_WARNINGS })),
    unchanged: Type.Optional(publishedDeployData),
    createdAt: timestamp('When it was made.'),
    expiresAt: timestamp('When it ends, and what was uploaded is removed.'),
  },
  { ...closed, title: 'Deploy' },
)
export type DeployData = Static<typeof deployData>

export const deployIdParams = Type.Object({ id: uuid('The id of the deploy.') }, closed)

export const deployBlobParams = Type.Object(
  { id: uuid('The id of the deploy.'), oid: oid('The id of the bytes.') },
  closed,
)

export const receivedData = Type.Object(
  {
    received: Type.Integer({ description: 'How many new blobs this request brought.' }),
    missing: Type.Integer({ description: 'How many are still missing.' }),
  },
  { ...closed, title: 'ReceivedBlobs' },
)
export type ReceivedData = Static<typeof receivedData>
