// The columns of people, agents and the audit log in SQL. Lists are words separated by one space; times are RFC 3339 UTC in whole seconds.

import type { Role } from '../../model/rights/roles.js'

/** Columns of everything that an owner may lend: its only workspace, and its makers. Both are null for a person's own way in. */
export interface LoanColumns {
  bound_to: string | null
  lent_by: string | null
}

export interface PeopleTables {
  users: { id: string; name: string; created_at: string }
  /** The rights of a person in a workspace: one row for each source (`SourcedRights`). */
  members: {
    workspace_id: string
    user_id: string
    source: string
    role: Role
    /** Ids of the only sites that the role is for; null means all. */
    sites: string | null
    expires_at: string | null
    created_at: string
  }
  /** Accounts at identity providers. The e-mail address is one that the provider verified. */
  identities: LoanColumns & {
    id: string
    issuer: string
    subject: string
    user_id: string
    email: string | null
    created_at: string
    last_used_at: string | null
  }
  passkeys: LoanColumns & {
    id: string
    user_id: string
    /** Base64url, as WebAuthn writes it. */
    credential_id: string
    public_key: string
    algorithm: string
    counter: number
    /** The host that it was made for: it works at no other. */
    rp_id: string
    name: string
    created_at: string
    last_used_at: string | null
  }
  invitations: {
    id: string
    /** SHA-256 of the link's token, hex. */
    hash: string
    workspace_id: string
    role: Role
    sites: string | null
    /** The only verified address that may take it; null means anybody with the link. */
    email: string | null
    /** `<kind> <id>` of the principal. */
    invited_by: string
    expires_at: string
    created_at: string
  }
  /** Domains whose verified addresses at a provider may join by themselves. */
  mail_domains: {
    workspace_id: string
    issuer: string
    domain: string
    role: Role
    sites: string | null
    created_at: string
  }
  /** Agents that people connected by OAuth: one row for each grant. */
  agents: {
    /** Id of the OAuth grant. */
    id: string
    workspace_id: string
    user_id: string
    client_id: string
    client_name: string
    scopes: string
    sites: string | null
    expires_at: string | null
    revoked_at: string | null
    last_used_at: string | null
    created_at: string
    /** Browser and system with which its person connected it. */
    device: string | null
  }
  /** The state of the authorization server: clients, codes, tokens. Also sign-ins that are not finished (`PendingSignIns`). */
  oauth_items: {
    kind: string
    /** SHA-256 of its id, hex: the id of a token is the token. */
    hash: string
    /** JSON without the id. */
    payload: string
    agent_id: string | null
    user_code: string | null
    uid: string | null
    /** Seconds since the epoch. */
    consumed_at: number | null
    expires_at: number | null
    /** The network of the address that asked for it, while nobody with an account stands behind it. */
    asked_from: string | null
    /** Seconds since the epoch. */
    made_at: number | null
  }
  audit_entries: {
    /** Empty for the operator's entries. */
    workspace_id: string
    number: number
    /** Canonical JSON of what the chain holds. */
    entry: string
    /** JSON of names, addresses and devices; null once erased. `entry` holds its salted hash. */
    personal: string | null
    salt: string | null
    /** SHA-256 of the previous entry's hash and this `entry`, hex. */
    hash: string
  }
  /** The last entry that retention removed from each chain. */
  audit_anchors: { workspace_id: string; number: number; hash: string; removed_at: string; signature: string }
}
