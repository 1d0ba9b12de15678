// The tables of the catalog, for catalog.db and for PostgreSQL: their statements (`ddl.ts`) and the types of their rows follow.
// Each table and column says which step added it. Rows of a released step are never edited: add rows with the next number, and the step
// in `catalog-migrations.ts`.
// Lists are words separated by one space; times are RFC 3339 UTC in whole seconds, where nothing else is said.

import {
  type RowsOf,
  bigint,
  emptyText,
  from,
  idOf,
  integer,
  optionalIdOf,
  states,
  table,
  text,
  word,
  zero,
} from './columns.js'
import { PEOPLE } from './people-tables.js'
import { REQUESTS } from './request-tables.js'

const CONTENT = {
  workspaces: table(1, {
    id: text('primary key'),
    name: text('not null'),
    /** Null only between the workspace's first row and its first site. */
    defaultSiteId: text(),
    createdAt: text('not null'),
    /** The workspace's own quotas: null leaves the setting in force, and -1 lifts it. */
    maxBytes: from(16, bigint()),
    maxPages: from(16, bigint()),
    maxSites: from(16, bigint()),
  }),
  sites: table(1, {
    id: text('primary key'),
    workspaceId: idOf('workspaces'),
    slug: text('not null unique'),
    /** `creating` reserves id and slug while the repository is made; look-ups find only `live` sites. */
    state: states('creating', 'live', 'deleted'),
    createdAt: text('not null'),
    /** 1 if everybody may see the site's past. */
    publicHistory: from(2, zero()),
    /** Number of withdrawn versions of its pages. */
    withdrawals: from(6, zero()),
    /** 1 if its pages answer as Markdown too. */
    markdown: from(8, zero()),
    /** 1 if visitors can search it. */
    search: from(9, zero()),
    publicRepository: from(10, zero()),
    /** Says who may change main without a change request. */
    protection: from(21, word('none')),
    /** The least role that approves its change requests. */
    approvers: from(21, word('editor')),
    /** 1 if guests with a review link may comment. */
    guestComments: from(24, zero()),
    /** The name that people gave it; null for a site with a slug alone. */
    name: from(22, text()),
  }),
  apiKeys: table(1, {
    id: text('primary key'),
    workspaceId: idOf('workspaces'),
    label: text('not null'),
    /** The first characters, to tell the key from others. */
    prefix: text('not null'),
    /** SHA-256 of the key, hex. The key itself is not stored. */
    hash: text('not null unique'),
    scopes: text('not null'),
    /** Ids of the only sites that the key may see; null means all of its workspace. */
    sites: text(),
    /** Patterns of the only paths that it may write to, a JSON array; null means all. */
    paths: from(7, text()),
    /** Origins of the only web pages that may use it; null means those that the service allows. */
    origins: from(12, text()),
    /** The tools that it is offered; null means all. */
    toolset: from(12, text()),
    expiresAt: text(),
    revokedAt: text(),
    /** `<kind> <id>` of the principal that made it: `key <uuid>`. Null for keys made before this was recorded. */
    mintedBy: from(4, text()),
    /** Last use, to the minute: uses are written in batches. */
    lastUsedAt: text(),
    createdAt: text('not null'),
    /** The person whose rights bound the key; null for keys of the workspace. */
    userId: from(17, text()),
    /** Set while the key is an offer (`PersonalKeys.end`): its last second, and the person who had the key. */
    offeredUntil: from(19, text()),
    offeredFrom: from(19, text()),
  }),
  grants: table(1, { workspaceId: idOf('workspaces'), toWorkspaceId: idOf('workspaces'), scopes: text('not null') }, [
    'toWorkspaceId',
    'workspaceId',
  ]),
  idempotencyRecords: table(1, {
    /** SHA-256 of principal, route, site and key. */
    keyHash: text('primary key'),
    /** SHA-256 of the canonical request. */
    requestHash: text('not null'),
    status: integer('not null'),
    /** Body of the answer as it was sent. */
    body: text('not null'),
    createdAt: text('not null'),
  }),
  links: table(5, {
    id: text('primary key'),
    siteId: idOf('sites'),
    /** The commit that it shows. */
    commitOid: text('not null'),
    /** SHA-256 of the link's secret, hex. */
    hash: text('not null'),
    keyId: optionalIdOf('api_keys'),
    /** Maker of the link, as commits name the author. */
    author: text('not null'),
    expiresAt: text('not null'),
    createdAt: text('not null'),
    /** `user <id>`, or kind and id of the principal; null for links made before this was recorded. */
    madeBy: from(18, text()),
    /** The change request that it shows, at its newest commit; null for a link to the past. */
    requestId: from(21, text()),
  }),
  withdrawals: table(
    6,
    {
      siteId: idOf('sites'),
      /** Oid of the version's html: all files of the site with these bytes are withdrawn. */
      blob: text('not null'),
      pageId: text('not null'),
      /** Commit of the version. */
      commitOid: text('not null'),
      /** Person or key that withdrew it, as commits name the author. */
      author: text('not null'),
      withdrawnAt: text('not null'),
    },
    ['siteId', 'blob'],
  ),
  /** Rows are numbered as they come: in PostgreSQL that number is the key. */
  pushes: table(11, {
    siteId: idOf('sites'),
    /** The push brought the commits of main after `beforeOid`, up to and including `afterOid`. */
    beforeOid: text('not null'),
    afterOid: text('not null'),
    /** Kind and id of the principal, as `makerNameOf` writes them. */
    maker: text('not null'),
    /** Label of the key. */
    author: text('not null'),
    /** The pusher's message (`git push -o message=…`). */
    message: text(),
    pushedAt: text('not null'),
  }),
  imports: table(13, {
    /** First id of the site; the id in its repository may replace it. */
    id: text('primary key'),
    workspaceId: idOf('workspaces'),
    slug: text('not null'),
    url: text('not null'),
    state: states('importing', 'done', 'failed'),
    /** Null until the site is live. */
    siteId: text(),
    /** Reason of the failure; null if it did not fail. */
    error: text(),
    /** One per line. */
    warnings: emptyText(),
    createdAt: text('not null'),
  }),
  mirrors: table(14, {
    siteId: text('primary key references "sites" ("id")'),
    url: text('not null'),
    /** Null if the remote takes pushes without credentials. */
    sealedCredentials: text(),
    /** `behind`: not tried yet, or to be tried again. `off`: cannot be tried without its credentials. */
    state: states('ok', 'behind', 'diverged', 'failed', 'off'),
    /** Main of the remote when it was last seen; null if it has none or was never seen. */
    remoteOid: text(),
    /** Reason why it is not `ok`; null if it is, or was not tried yet. */
    error: text(),
    /** Number of failures in a row. */
    failures: integer('not null'),
    /** Milliseconds since the epoch; no try before that time. */
    nextTryAt: bigint('not null'),
    /** When the remote last showed the site's head. */
    okAt: text(),
    /** Lines of `<oid> <name>`: the tags that the remote has from the site, or may have. */
    tags: from(15, emptyText()),
  }),
}

export const TABLES = { ...CONTENT, ...PEOPLE, ...REQUESTS }

export type CatalogTables = RowsOf<typeof TABLES>

export interface Index {
  since: number
  table: keyof typeof TABLES
  columns: readonly string[]
  /** The rest of its name in catalog.db; undefined for one that only PostgreSQL has. It names its indexes itself. */
  by?: string
  /** Whether PostgreSQL has it too. It answers no questions: it has the indexes that its own changes need. */
  isShared: boolean
  where?: string
}

export const INDEXES: readonly Index[] = [
  { since: 1, table: 'sites', by: 'workspace', columns: ['workspaceId', 'slug'], isShared: false },
  { since: 1, table: 'apiKeys', by: 'workspace', columns: ['workspaceId', 'createdAt'], isShared: false },
  { since: 4, table: 'apiKeys', columns: ['workspaceId', 'mintedBy'], isShared: true },
  { since: 1, table: 'idempotencyRecords', by: 'age', columns: ['createdAt'], isShared: true },
  { since: 3, table: 'sessions', by: 'workspace', columns: ['workspaceId', 'createdAt'], isShared: false },
  { since: 5, table: 'links', by: 'site', columns: ['siteId', 'createdAt'], isShared: false },
  { since: 5, table: 'links', columns: ['siteId'], isShared: true },
  { since: 11, table: 'pushes', by: 'maker', columns: ['siteId', 'maker'], isShared: true },
  { since: 13, table: 'imports', by: 'workspace', columns: ['workspaceId', 'createdAt'], isShared: false },
  { since: 17, table: 'members', by: 'user', columns: ['userId'], isShared: true },
  { since: 17, table: 'identities', by: 'user', columns: ['userId'], isShared: true },
  { since: 17, table: 'passkeys', by: 'user', columns: ['userId'], isShared: true },
  { since: 17, table: 'invitations', by: 'workspace', columns: ['workspaceId'], isShared: true },
  { since: 17, table: 'agents', by: 'user', columns: ['workspaceId', 'userId'], isShared: true },
  { since: 17, table: 'oauthItems', by: 'agent_id', columns: ['agentId'], isShared: true },
  { since: 17, table: 'oauthItems', by: 'user_code', columns: ['userCode'], isShared: false },
  { since: 17, table: 'oauthItems', by: 'uid', columns: ['uid'], isShared: false },
  { since: 17, table: 'oauthItems', by: 'expires_at', columns: ['expiresAt'], isShared: true },
  { since: 17, table: 'sessions', by: 'user', columns: ['userId'], isShared: true },
  { since: 17, table: 'apiKeys', by: 'user', columns: ['userId'], isShared: false },
  {
    since: 20,
    table: 'oauthItems',
    by: 'asked_from',
    columns: ['askedFrom', 'madeAt'],
    isShared: true,
    where: '"asked_from" is not null',
  },
  { since: 21, table: 'changeRequests', by: 'state', columns: ['siteId', 'state', 'number'], isShared: false },
  { since: 21, table: 'changeRequests', by: 'maker', columns: ['siteId', 'madeBy', 'number'], isShared: false },
  { since: 21, table: 'changeRequests', by: 'user', columns: ['siteId', 'userId', 'number'], isShared: false },
  { since: 21, table: 'changeRequests', by: 'use', columns: ['state', 'updatedAt'], isShared: false },
  { since: 21, table: 'changeRequests', by: 'end', columns: ['closedAt', 'id'], isShared: false },
  {
    since: 23,
    table: 'changeRequests',
    by: 'due',
    columns: ['publishAt', 'siteId', 'number'],
    isShared: false,
    where: '"publish_at" is not null and "held_at" is null',
  },
  {
    since: 23,
    table: 'changeRequests',
    by: 'schedule',
    columns: ['siteId', 'publishAt', 'number'],
    isShared: false,
    where: '"publish_at" is not null',
  },
  { since: 24, table: 'comments', by: 'site', columns: ['siteId'], isShared: true },
  { since: 24, table: 'comments', by: 'maker', columns: ['madeBy', 'createdAt'], isShared: true },
]
