// The step that adds people, connected agents and the audit log to catalog.db.

import type { Kysely } from 'kysely'

/** Adds people with their roles, ways to sign in and invitations, agents with their tokens, and the audit log. */
export async function addPeople(db: Kysely<unknown>): Promise<void> {
  await addUsers(db)
  await addWaysToSignIn(db)
  await addInvitations(db)
  await addAgents(db)
  await addAudit(db)
  await db.schema.alterTable('api_keys').addColumn('user_id', 'text').execute()
  await db.schema.alterTable('sign_in_links').addColumn('user_id', 'text').execute()
  for (const column of ['user_id', 'means', 'device', 'proven_at', 'issuer', 'provider_session', 'seen_at'])
    await db.schema.alterTable('sessions').addColumn(column, 'text').execute()
  await db.schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute()
  await db.schema.createIndex('api_keys_by_user').on('api_keys').column('user_id').execute()
}

async function addUsers(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('members')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('sites', 'text')
    .addColumn('expires_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('members_primary_key', ['workspace_id', 'user_id', 'source'])
    .execute()
  await db.schema.createIndex('members_by_user').on('members').column('user_id').execute()
}

async function addWaysToSignIn(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('identities')
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('email', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .addPrimaryKeyConstraint('identities_primary_key', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('identities_by_user').on('identities').column('user_id').execute()
  await db.schema
    .createTable('passkeys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('credential_id', 'text', (column) => column.notNull().unique())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('algorithm', 'text', (column) => column.notNull())
    .addColumn('counter', 'integer', (column) => column.notNull())
    .addColumn('rp_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('last_used_at', 'text')
    .execute()
  await db.schema.createIndex('passkeys_by_user').on('passkeys').column('user_id').execute()
  await db.schema
    .createTable('passkey_challenges')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
}

async function addInvitations(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('invitations')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('sites', 'text')
    .addColumn('email', 'text')
    .addColumn('invited_by', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('invitations_by_workspace').on('invitations').column('workspace_id').execute()
  await db.schema
    .createTable('mail_domains')
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('domain', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('sites', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('mail_domains_primary_key', ['workspace_id', 'issuer', 'domain'])
    .execute()
}

async function addAgents(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('agents')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('workspace_id', 'text', (column) => column.notNull().references('workspaces.id'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('client_name', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('sites', 'text')
    .addColumn('expires_at', 'text')
    .addColumn('revoked_at', 'text')
    .addColumn('last_used_at', 'text')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('agents_by_user').on('agents').columns(['workspace_id', 'user_id']).execute()
  await db.schema
    .createTable('oauth_items')
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('payload', 'text', (column) => column.notNull())
    .addColumn('agent_id', 'text')
    .addColumn('user_code', 'text')
    .addColumn('uid', 'text')
    .addColumn('consumed_at', 'integer')
    .addColumn('expires_at', 'integer')
    .addPrimaryKeyConstraint('oauth_items_primary_key', ['kind', 'hash'])
    .execute()
  for (const column of ['agent_id', 'user_code', 'uid', 'expires_at'])
    await db.schema.createIndex(`oauth_items_by_${column}`).on('oauth_items').column(column).execute()
}

async function addAudit(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_entries')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('entry', 'text', (column) => column.notNull())
    .addColumn('personal', 'text')
    .addColumn('salt', 'text')
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_entries_primary_key', ['workspace_id', 'number'])
    .execute()
  await db.schema
    .createTable('audit_anchors')
    .addColumn('workspace_id', 'text', (column) => column.primaryKey())
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('removed_at', 'text', (column) => column.notNull())
    .addColumn('signature', 'text', (column) => column.notNull())
    .execute()
}
