// Steps of the schema for repositories elsewhere. A released step is never edited: add a new one.

import { type Kysely, sql } from 'kysely'

/** Adds sites that are or were being imported from a remote. */
export async function addImports(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('imports')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('slug', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull().check(sql`state in ('importing', 'done', 'failed')`))
    .addColumn('site_id', 'text')
    .addColumn('error', 'text')
    .addColumn('warnings', 'text', (column) => column.notNull().defaultTo(''))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('imports_by_workspace').on('imports').columns(['workspace_id', 'created_at']).execute()
}

/** Adds the remotes that sites are mirrored to. */
export async function addMirrors(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('mirrors')
    .addColumn('site_id', 'text', (column) => column.primaryKey().references('sites.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('sealed_credentials', 'text')
    .addColumn('state', 'text', (column) =>
      column.notNull().check(sql`state in ('ok', 'behind', 'diverged', 'failed', 'off')`),
    )
    .addColumn('remote_oid', 'text')
    .addColumn('error', 'text')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('next_try_at', 'integer', (column) => column.notNull())
    .addColumn('ok_at', 'text')
    .execute()
}

/** Adds the tags that a mirror has from its site. */
export async function addMirrorTags(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('mirrors')
    .addColumn('tags', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
}
