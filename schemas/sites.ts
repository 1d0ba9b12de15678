// Sites and their history; workspaces; templates.

import { type Static, Type } from 'typebox'
import { LABEL_PATTERN, MAX_LABEL_CHARACTERS } from '../src/model/label.js'
import {
  MAX_IMPORT_WARNINGS,
  MAX_KEY_SITES,
  MAX_MESSAGE_CHARACTERS,
  MAX_REMOTE_URL_CHARACTERS,
} from '../src/model/limits.js'
import { PRINCIPAL_KINDS, TOOLSETS } from '../src/model/principal.js'
import { SCOPES } from '../src/model/rights/scopes.js'
import { ROLES } from '../src/model/rights/roles.js'
import { pagePath, sentence, treePath, url } from './answer-texts.js'
import { closed, nullable, oid, sliceQuery, timestamp, uuid } from './common.js'
import { protection } from './protection.js'

const slug = Type.String({
  minLength: 1,
  maxLength: 40,
  description:
    'The subdomain: lower-case letters, digits and single hyphens. It never changes and is never used again.',
  examples: ['demo'],
})

const siteName = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: LABEL_PATTERN,
  description: 'What people call it, in lists of sites.',
  examples: ['Chess Club'],
})

export const credential = (description: string) => Type.String({ minLength: 1, maxLength: 1024, description })

export const REMOTE_USERNAME =
  'The user name; many hosts take any. Left out, the password is sent as a bearer token (RFC 6750).'

export const createSiteBody = Type.Object(
  {
    slug,
    name: Type.Optional(siteName),
    importUrl: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: MAX_REMOTE_URL_CHARACTERS,
        description:
          'Makes the site of this git repository, with its history: an https URL that can be cloned, without credentials in it. The answer is 202.',
        examples: ['https://git.example/site.git'],
      }),
    ),
    importCredentials: Type.Optional(
      Type.Object(
        {
          username: Type.Optional(credential(REMOTE_USERNAME)),
          password: credential(
            'A password or an access token. It is sent to the host of `importUrl` alone, and kept nowhere.',
          ),
        },
        closed,
      ),
    ),
  },
  { ...closed, title: 'CreateSite' },
)

const importData = Type.Object(
  {
    url: Type.String({ maxLength: MAX_REMOTE_URL_CHARACTERS, description: 'The repository that it is imported from.' }),
    phase: Type.Enum(['waiting', 'receiving', 'checking', 'done', 'failed'], {
      description: 'Imports begin in the order in which they were asked for, a few at once.',
    }),
    receivedBytes: Type.Integer({ minimum: 0, description: 'The bytes of the pack received so far.' }),
    objects: nullable(Type.Integer({ minimum: 0, description: 'The objects of the pack; null while unknown.' })),
    error: nullable(
      sentence({ description: 'The reason why it failed. It quotes the remote if the remote gave one.' }),
    ),
    warnings: Type.Array(sentence(), {
      maxItems: MAX_IMPORT_WARNINGS,
      description: 'Imported files that cannot be served as they are.',
    }),
  },
  { ...closed, title: 'SiteImport' },
)

const publicHistory = Type.Boolean({
  description:
    'Whether everybody may see the site at each of its commits, at `<commit>--<slug>.<site domain>`. Default: false.',
})

const markdown = Type.Boolean({
  description:
    'Whether pages answer as Markdown too, to `Accept: text/markdown` and at `<path>.md`, and `llms.txt` lists them. Default: false.',
})

const search = Type.Boolean({
  description:
    'Whether visitors can search the published pages, at `/_search?q=` on the host of the site. Default: false.',
})

const publicRepository = Type.Boolean({
  description:
    'Whether everybody may clone the repository, without a key. Everything that was ever committed is then public: records, unpublished pages and withdrawn versions too. Default: false.',
})

const guestComments = Type.Boolean({
  description: 'Whether guests comment on a change request, at a review link to it. Default: false.',
})

export const updateSiteBody = Type.Object(
  {
    isDefault: Type.Optional(Type.Literal(true, { description: "Makes it the workspace's default site." })),
    name: Type.Optional(nullable(siteName)),
    publicHistory: Type.Optional(publicHistory),
    markdown: Type.Optional(markdown),
    search: Type.Optional(search),
    publicRepository: Type.Optional(publicRepository),
    guestComments: Type.Optional(guestComments),
  },
  { ...closed, minProperties: 1, title: 'UpdateSite' },
)

export const siteData = Type.Object(
  {
    id: uuid("The site's id."),
    slug,
    name: nullable(siteName),
    workspaceId: uuid('The workspace of the site.'),
    url: url({ examples: ['http://demo.localhost:8080'] }),
    cloneUrl: url({
      description: 'For git: an API key is the password, with any user name.',
      examples: ['http://localhost:8080/git/demo.git'],
    }),
    isDefault: Type.Boolean({ description: 'Whether requests that name no site address this one.' }),
    publicHistory,
    markdown,
    search,
    publicRepository,
    guestComments,
    protection,
    createdAt: timestamp('When it was created.'),
    state: Type.Enum(['live', 'importing', 'failed'], {
      description:
        '`importing`: it is being made of a remote repository, and serves nothing yet. `failed`: that could not be done; the slug is free again.',
    }),
    import: Type.Optional(importData),
    usage: Type.Optional(
      Type.Object(
        {
          pages: Type.Integer({ minimum: 0, description: 'Published pages, as far as the index has progressed.' }),
          lastChangeAt: timestamp('Commit time of the head.'),
          storageBytes: Type.Integer({ minimum: 0, description: 'Size of the repository on disk, history included.' }),
        },
        { ...closed, description: 'Present if one site is requested.' },
      ),
    ),
  },
  { ...closed, title: 'Site' },
)
export type SiteData = Static<typeof siteData>

export const listQuery = Type.Object(sliceQuery, closed)

export const listSitesQuery = Type.Object(
  {
    ...sliceQuery,
    slug: Type.Optional(Type.String({ maxLength: 100, description: 'Only the site with this slug.' })),
    state: Type.Optional(
      Type.Enum(['live', 'importing'], {
        default: 'live',
        description:
          '`importing` lists the imports that are under way, or failed within the last week, the oldest first.',
      }),
    ),
  },
  closed,
)

export const checksData = Type.Object(
  {
    siteId: uuid('The id of the site.'),
    commit: oid('The commit that was checked.'),
    complete: Type.Boolean({ description: 'False where the check stopped at its limits: there may be more findings.' }),
    findings: Type.Array(
      Type.Object(
        {
          code: Type.String({ maxLength: 64, examples: ['invalid_sidecar'] }),
          path: treePath({ description: 'The path in the repository.' }),
          message: sentence({ description: 'What it means, and what to do.' }),
          target: Type.Optional(
            Type.String({ maxLength: MAX_MESSAGE_CHARACTERS, description: 'The path that a broken link leads to.' }),
          ),
          count: Type.Optional(Type.Integer({ minimum: 1, description: 'How many pages have a link to the target.' })),
          pages: Type.Optional(
            Type.Array(
              Type.Object(
                { id: uuid('The id of the page.'), path: pagePath(), line: Type.Integer({ minimum: 1 }) },
                closed,
              ),
              { maxItems: 10, description: 'The first ten of these pages, each with the line of its first such link.' },
            ),
          ),
        },
        closed,
      ),
      { maxItems: 500, description: 'Links have one finding for each target.' },
    ),
    checkedAt: timestamp('When the site was checked.'),
  },
  { ...closed, title: 'Checks' },
)
export type ChecksData = Static<typeof checksData>

const label = Type.String({ maxLength: MAX_LABEL_CHARACTERS })

export const workspaceData = Type.Object(
  {
    id: uuid("The workspace's id."),
    name: label,
    defaultSiteId: nullable(uuid('The site that requests address when they name none.')),
    createdAt: timestamp('When it was created.'),
  },
  { ...closed, title: 'Workspace' },
)
export type WorkspaceData = Static<typeof workspaceData>

const scope = Type.Enum([...SCOPES])

export const meData = Type.Object(
  {
    key: Type.Object(
      {
        id: uuid("The key's id."),
        label,
        sites: nullable(
          Type.Array(uuid('The id of a site that the key may see.'), {
            maxItems: MAX_KEY_SITES,
            description: 'Null: every site.',
          }),
        ),
        siteSlugs: nullable(
          Type.Array(Type.String({ maxLength: 63 }), {
            maxItems: MAX_KEY_SITES,
            description: 'The slugs of those of its sites that are in this workspace. Null: every site.',
          }),
        ),
        paths: nullable(
          Type.Array(Type.String({ maxLength: 2_100, description: 'A path or pattern.' }), {
            maxItems: 20,
            description: 'The only paths that it may write to. Null: all.',
          }),
        ),
        expiresAt: nullable(timestamp('When it expires; null: never.')),
        toolset: nullable(Type.Enum([...TOOLSETS], { description: 'The tools offered to its agents; null: all.' })),
      },
      closed,
    ),
    kind: Type.Enum([...PRINCIPAL_KINDS], {
      description: 'What `key` is: an API key, a session, an agent or a token.',
    }),
    person: nullable(
      Type.Object(
        { id: uuid("The person's id."), name: label, role: Type.Enum([...ROLES]) },
        { ...closed, description: 'The person who acts; null for a key of the workspace.' },
      ),
    ),
    client: nullable(Type.String({ maxLength: 256, description: "The name of the agent's program; null: no agent." })),
    isBorrowed: Type.Boolean({
      description: "Whether an owner's link began this session: then it opens this workspace alone.",
    }),
    workspace: workspaceData,
    scopes: Type.Array(scope, { maxItems: SCOPES.length, description: 'What the key may do in this workspace.' }),
  },
  { ...closed, title: 'Me' },
)
export type MeData = Static<typeof meData>

export const templateData = Type.Object(
  { id: Type.String({ maxLength: 100 }), source: Type.Enum(['built-in', 'site']) },
  { ...closed, title: 'Template' },
)
export type TemplateData = Static<typeof templateData>
