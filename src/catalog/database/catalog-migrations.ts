// The schema of catalog.db, step by step. A released step is never edited: add a new one.

import { randomBytes } from 'node:crypto'
import { type Kysely, type Migration, sql } from 'kysely'
import { addBorrowedWays } from './borrowed-ways.js'
import { addHandOvers } from './hand-over-migrations.js'
import { addPeople } from './people-migrations.js'
import { addImports, addMirrors, addMirrorTags } from './remote-migrations.js'
import { addVisitorsRows } from './visitors-migration.js'

export const catalogMigrations: Record<string, Migration> = {
  '0001-workspaces-sites-keys': { up: createFirstTables },
  '0002-public-history-and-links': { up: addPublicHistory },
  '0003-sessions': { up: addSessions },
  '0004-minters': { up: addMinters },
  '0005-stored-links': { up: storeLinks },
  '0006-withdrawals': { up: addWithdrawals },
  '0007-key-paths': { up: addKeyPaths },
  '0008-markdown-of-sites': { up: addMarkdown },
  '0009-search-of-sites': { up: addSearch },
  '0010-public-repositories': { up: addPublicRepository },
  '0011-pushes': { up: addPushes },
  '0012-key-origins-and-toolset': { up: addKeyOrigins },
  '0013-imports': { up: addImports },
  '0014-mirrors': { up: addMirrors },
  '0015-tags-of-mirrors': { up: addMirrorTags },
  '0016-quotas': { up: addQuotas },
  '0017-people-agents-audit': { up: addPeople },
  '0018-borrowed-ways-in': { up: addBorrowedWays },
  '0019-hand-overs': { up: addHandOvers },
  '0020-visitors-rows': { up: addVisitorsRows },
}

async function createFirstTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('workspaces')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('default_site_id', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('sites')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('slug', 'text', (column) => column.notNull().unique())
    .addColumn('state', 'text', (column) => column.notNull().check(sql`state in ('creating', 'live', 'deleted')`))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sites_by_workspace').on('sites').columns(['workspace_id', 'slug']).execute()

  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('prefix', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('sites', 'text')
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('last_used_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('api_keys_by_workspace').on('api_keys').columns(['workspace_id', 'created_at']).execute()

  await db.schema
    .createTable('grants')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('to_workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('grants_primary_key', ['to_workspace_id', 'workspace_id'])
    .execute()

  await db.schema
    .createTable('idempotency_records')
    .addColumn('key_hash', 'text', (column) => column.primaryKey())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('idempotency_records_by_age').on('idempotency_records').column('created_at').execute()
}

/** Adds whether a site's past is public, and the secret that signs links to a past that is not. */
async function addPublicHistory(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sites')
    .addColumn('public_history', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('secrets')
    .addColumn('name', 'text', (column) => column.primaryKey())
    .addColumn('value', 'text', (column) => column.notNull())
    .execute()
  await sql`insert into secrets (name, value) values ('links', ${randomBytes(32).toString('hex')})`.execute(db)
}

/** Adds people at the dashboard. A person has no row yet: a session names the workspace that it opens and the label that signs. */
async function addSessions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_in_links')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('sessions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('label', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_by_workspace').on('sessions').columns(['workspace_id', 'created_at']).execute()
}

/** Adds the principal that made a key, so that a principal can be revoked with all keys that it made. */
async function addMinters(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('minted_by', 'text').execute()
}

/** Stores links, so that they can be listed and deleted. Signed links, which could not, end here. */
async function storeLinks(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('secrets').execute()
  await db.schema
    .createTable('links')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('site_id', 'text', (column) => column.notNull().references('sites.id'))
    .addColumn('commit_oid', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.references('api_keys.id'))
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('links_by_site').on('links').columns(['site_id', 'created_at']).execute()
}

/** Adds keys limited to paths. */
async function addKeyPaths(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('paths', 'text').execute()
}

/** Adds withdrawals: versions of pages that are hidden without a key. */
async function addWithdrawals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sites')
    .addColumn('withdrawals', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema
    .createTable('withdrawals')
    .addColumn('site_id', 'text', (column) => column.notNull().references('sites.id'))
    .addColumn('blob', 'text', (column) => column.notNull())
    .addColumn('page_id', 'text', (column) => column.notNull())
    .addColumn('commit_oid', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('withdrawn_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('withdrawals_primary_key', ['site_id', 'blob'])
    .execute()
}

/** Adds whether the pages of a site answer as Markdown too. */
async function addMarkdown(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sites')
    .addColumn('markdown', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

/** Adds whether visitors can search a site. */
async function addSearch(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sites')
    .addColumn('search', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

/** Adds whether everybody may clone a site. */
async function addPublicRepository(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('sites')
    .addColumn('public_repository', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}

/** Adds the pushes over HTTP and their makers. */
async function addPushes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pushes')
    .addColumn('site_id', 'text', (column) => column.notNull().references('sites.id'))
    .addColumn('before_oid', 'text', (column) => column.notNull())
    .addColumn('after_oid', 'text', (column) => column.notNull())
    .addColumn('maker', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('message', 'text')
    .addColumn('pushed_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('pushes_by_maker').on('pushes').columns(['site_id', 'maker']).execute()
}

/** Adds the web pages that may use a key, and the tools that a key is offered. */
async function addKeyOrigins(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('origins', 'text').execute()
  await db.schema.alterTable('api_keys').addColumn('toolset', 'text').execute()
}

/** Adds the quotas of single workspaces. */
async function addQuotas(db: Kysely<unknown>): Promise<void> {
  for (const column of ['max_bytes', 'max_pages', 'max_sites'])
    await db.schema.alterTable('workspaces').addColumn(column, 'integer').execute()
}
