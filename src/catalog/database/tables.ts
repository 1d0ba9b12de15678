// The columns of catalog.db in SQL. Lists are words separated by one space; times are RFC 3339 UTC in whole seconds.

import type { Generated } from 'kysely'
import type { LoanColumns, PeopleTables } from './people-tables.js'

export interface CatalogTables extends PeopleTables {
  workspaces: {
    id: string
    name: string
    default_site_id: string | null
    created_at: string
    /** The workspace's own quotas: null leaves the setting in force, and -1 lifts it. */
    max_bytes: number | null
    max_pages: number | null
    max_sites: number | null
  }
  sites: {
    id: string
    workspace_id: string
    slug: string
    state: 'creating' | 'live' | 'deleted'
    created_at: string
    /** 1 if everybody may see the site's past. */
    public_history: Generated<number>
    /** Number of withdrawn versions of its pages. */
    withdrawals: Generated<number>
    /** 1 if its pages answer as Markdown too. */
    markdown: Generated<number>
    /** 1 if visitors can search it. */
    search: Generated<number>
    public_repository: Generated<number>
  }
  mirrors: {
    site_id: string
    url: string
    sealed_credentials: string | null
    state: 'ok' | 'behind' | 'diverged' | 'failed' | 'off'
    remote_oid: string | null
    error: string | null
    failures: number
    /** Milliseconds since the epoch. */
    next_try_at: number
    ok_at: string | null
    /** Lines of `<oid> <name>`. */
    tags: Generated<string>
  }
  imports: {
    id: string
    workspace_id: string
    slug: string
    url: string
    state: 'importing' | 'done' | 'failed'
    site_id: string | null
    error: string | null
    /** One per line. */
    warnings: Generated<string>
    created_at: string
  }
  pushes: {
    site_id: string
    before_oid: string
    after_oid: string
    maker: string
    author: string
    message: string | null
    pushed_at: string
  }
  withdrawals: {
    site_id: string
    blob: string
    page_id: string
    commit_oid: string
    author: string
    withdrawn_at: string
  }
  api_keys: {
    id: string
    workspace_id: string
    label: string
    prefix: string
    /** SHA-256 of the key, hex. The key itself is not stored. */
    hash: string
    scopes: string
    /** Ids of the only sites that the key may see; null means all of its workspace. */
    sites: string | null
    /** Patterns of the only paths that it may write to, a JSON array; null means all. */
    paths: string | null
    /** Origins of the only web pages that may use it; null means those that the service allows. */
    origins: string | null
    /** The tools that it is offered; null means all. */
    toolset: string | null
    expires_at: string | null
    revoked_at: string | null
    /** `<kind> <id>` of the principal that made it: `key <uuid>`. Null for keys made before this was recorded. */
    minted_by: string | null
    /** The person whose rights bound the key; null for keys of the workspace. */
    user_id: string | null
    /** Set while the key is an offer (`PersonalKeys.handOver`): its last second, and the person who had the key. */
    offered_until: string | null
    offered_from: string | null
    last_used_at: string | null
    created_at: string
  }
  grants: {
    workspace_id: string
    to_workspace_id: string
    scopes: string
  }
  links: {
    id: string
    site_id: string
    commit_oid: string
    /** SHA-256 of the link's secret, hex. */
    hash: string
    key_id: string | null
    /** `user <id>`, or kind and id of the principal; null for links made before this was recorded. */
    made_by: string | null
    author: string
    expires_at: string
    created_at: string
  }
  sign_in_links: LoanColumns & {
    /** SHA-256 of the link's token, hex. */
    hash: string
    workspace_id: string
    label: string
    /** The person that it lets in; null: the one that the label names. */
    user_id: string | null
    expires_at: string
  }
  sessions: LoanColumns & {
    id: string
    /** SHA-256 of the cookie's value, hex. */
    hash: string
    workspace_id: string
    /** Shown as the author of commits, if the session has no person. */
    label: string
    expires_at: string
    created_at: string
    /** Null for sessions that began before people had accounts. */
    user_id: string | null
    /** How it began: `link`, `passkey` or `provider`. */
    means: string | null
    /** Browser and system, as the person recognizes them. */
    device: string | null
    /** When the person last proved who they are. */
    proven_at: string | null
    /** The provider and its session, which can end this one. */
    issuer: string | null
    provider_session: string | null
    /** Last use, to the hour. */
    seen_at: string | null
  }
  /** The workspaces that sessions open no more. */
  closed_sessions: { session_id: string; workspace_id: string }
  idempotency_records: {
    key_hash: string
    request_hash: string
    status: number
    body: string
    created_at: string
  }
}
