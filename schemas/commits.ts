// The commits of a site, its tags, and undoing commits.

import { type Static, Type } from 'typebox'
import { MAX_TREE_PATH_CHARACTERS } from '../src/model/limits.js'
import { author, commitText, pagePath, titleText, url } from './answer-texts.js'
import {
  closed,
  fileChange,
  nullable,
  ofRequest,
  oid,
  reasonField,
  sliceQuery,
  timestamp,
  uuid,
  verified,
} from './common.js'
import { makerFields } from './makers.js'
import { changeWarning, dryRunData } from './pages.js'

export const MAX_TAGS_OF_COMMIT = 100

/** A file system allows no longer name (`pushedTags` takes 255). */
const tagName = (description?: string) =>
  Type.String({
    maxLength: MAX_TREE_PATH_CHARACTERS,
    examples: ['v1'],
    ...(description !== undefined && { description }),
  })

const committedFile = Type.Object(
  {
    ...fileChange.properties,
    page: nullable(
      Type.Object(
        { id: uuid('The page.'), version: Type.Integer({ minimum: 1, description: 'The number of the version.' }) },
        {
          ...closed,
          description:
            'The version that the commit made of the page at this path. Null for files that are no page, and for a page that has moved since.',
        },
      ),
    ),
    url: nullable(
      url({ description: 'Where the page or file is served while it is there; null for what is never served.' }),
    ),
  },
  closed,
)

export const listCommitsQuery = Type.Object(
  {
    ...sliceQuery,
    author: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description:
          'Only commits of this `author`, or pushed by a key with this label. `me`: what this key or session did.',
        examples: ['me'],
      }),
    ),
    agent: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 36,
        description: 'Only what this connected agent did: its id; `all`: what any of them did.',
      }),
    ),
    since: Type.Optional(timestamp('Only commits from this time on.')),
    upTo: Type.Optional(Type.Integer({ minimum: 1, description: 'Only commits with this `number` or a lower one.' })),
    path: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2048, description: 'Only versions of the page at this path.' }),
    ),
  },
  closed,
)

export const commitData = Type.Object(
  {
    id: oid('The commit.'),
    number: Type.Integer({ minimum: 1, description: 'Its place on the first-parent history; 1 is the first.' }),
    parent: nullable(oid('Its first parent; null for the first commit.')),
    author: author(),
    subject: commitText(),
    message: commitText({
      description: 'Subject and body of the commit, and the operation if a reason is the subject.',
    }),
    createdAt: timestamp('Commit time.'),
    verified,
    mine: Type.Boolean({
      description: 'Whether this key or session made it through the service, or pushed it over HTTP.',
    }),
    ...makerFields,
    page: Type.Optional(
      Type.Object(
        {
          id: uuid('The page.'),
          path: pagePath(),
          title: nullable(titleText()),
        },
        { ...closed, description: 'The page that it changed, where it was made for one alone; as it is now.' },
      ),
    ),
    push: nullable(
      Type.Object(
        {
          author: author({ description: 'The label of the key that pushed.' }),
          message: nullable(
            Type.String({
              maxLength: 1_000,
              description: 'What was said about the push: `git push -o message=…`.',
            }),
          ),
          createdAt: timestamp('When it was received.'),
        },
        { ...closed, description: 'The push over HTTP that brought it; null where the service recorded none.' },
      ),
    ),
    tags: Type.Array(tagName(), { maxItems: MAX_TAGS_OF_COMMIT, description: 'The first 100 tags that name it.' }),
    files: Type.Optional(
      Type.Array(committedFile, {
        maxItems: 1_000,
        description: 'The first 1,000 changed files, those of `.pages` last; present where one commit is requested.',
      }),
    ),
    fileCount: Type.Optional(Type.Integer({ minimum: 0 })),
    warnings: Type.Optional(
      Type.Array(changeWarning, {
        maxItems: 1_000,
        description: 'With `warnings`: what a dry run of the change would have warned of.',
      }),
    ),
    changed: Type.Optional(Type.Literal(false, { description: 'Present if there was nothing to undo.' })),
  },
  { ...closed, title: 'Commit' },
)
export type CommitData = Static<typeof commitData>

/** An id of a commit, which may be cut like those that git shows. */
const commitName = (description: string) =>
  Type.String({
    pattern: '^[0-9a-f]{7,40}$',
    maxLength: 40,
    description: `${description} Its first 7 digits or more do too.`,
    examples: ['9fceb02d0ae598e95dc970b74767f19372d61af8'],
  })

export const commitParams = Type.Object(
  { id: uuid('The id of the site.'), oid: commitName('The id of the commit.') },
  closed,
)

export const commitQuery = Type.Object(
  { warnings: Type.Optional(Type.Boolean({ description: 'Adds `warnings`.' })), ...ofRequest },
  closed,
)

export const revertBody = Type.Object(
  { commit: commitName('The commit to undo.'), reason: Type.Optional(reasonField) },
  { ...closed, title: 'Revert' },
)

const MAX_UNDONE_COMMITS = 500

export const undoBody = Type.Object(
  {
    commits: Type.Optional(
      Type.Array(commitName('A commit to undo.'), {
        minItems: 1,
        maxItems: MAX_UNDONE_COMMITS,
        description: 'The commits to undo, in any order. Commits between them stay as they are.',
      }),
    ),
    since: Type.Optional(
      timestamp('Instead of `commits`: all that this key or session did from then on, at most 500.'),
    ),
    backTo: Type.Optional(commitName('Instead of `commits`: all that differs from this commit of the site.')),
    paths: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 2048 }), {
        minItems: 1,
        maxItems: 500,
        description: 'With `backTo`: only these pages, files and folders. A folder ends with a slash.',
        examples: [['/about', '/img/logo.svg', '/docs/']],
      }),
    ),
    reason: Type.Optional(reasonField),
  },
  { ...closed, title: 'UndoCommits' },
)

export const undoData = Type.Object(
  {
    commit: nullable(oid('The commit that undid them; null in a dry run, and where there was nothing to undo.')),
    changed: Type.Boolean(),
    undone: Type.Array(
      Type.Object(
        { id: oid('The commit.'), subject: commitText(), author: author(), createdAt: timestamp('Commit time.') },
        closed,
      ),
      { maxItems: MAX_UNDONE_COMMITS, description: 'The commits that were undone, newest first; none with `backTo`.' },
    ),
    dryRun: Type.Optional(dryRunData),
  },
  { ...closed, title: 'Undo' },
)
export type UndoData = Static<typeof undoData>

export const tagData = Type.Object(
  {
    name: tagName('Without `refs/tags/`.'),
    oid: oid('What the tag holds: a commit, or the object of an annotated tag.'),
    commit: nullable(
      oid(
        'The commit that it names; null where that is none of the first-parent history of main, as only an operator can set it.',
      ),
    ),
    author: nullable(author({ description: 'Who made an annotated tag, as it says itself.' })),
    message: nullable(commitText({ description: 'What an annotated tag says.' })),
    createdAt: nullable(timestamp('When an annotated tag was made, as it says itself.')),
    verified: Type.Enum(['other', 'none'], {
      description: 'Whether the tag carries a signature. `other`: one that the service cannot check.',
    }),
  },
  { ...closed, title: 'Tag' },
)
export type TagData = Static<typeof tagData>
