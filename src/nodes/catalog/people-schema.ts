// The tables of people, connected agents and the audit log in PostgreSQL: those of `catalog.db` by the same names.

export const PEOPLE_KEYS = {
  users: ['id'],
  members: ['workspace_id', 'user_id', 'source'],
  identities: ['issuer', 'subject'],
  passkeys: ['id'],
  passkey_challenges: ['hash'],
  invitations: ['id'],
  mail_domains: ['workspace_id', 'issuer', 'domain'],
  agents: ['id'],
  oauth_items: ['kind', 'hash'],
  audit_entries: ['workspace_id', 'number'],
  audit_anchors: ['workspace_id'],
} as const

export const PEOPLE_TABLES = `
  SET LOCAL search_path = catalog;
  CREATE TABLE users (id words PRIMARY KEY, name words NOT NULL, created_at words NOT NULL);
  CREATE TABLE members (
    workspace_id words NOT NULL REFERENCES workspaces, user_id words NOT NULL REFERENCES users, source words NOT NULL,
    role words NOT NULL, sites words, expires_at words, created_at words NOT NULL,
    PRIMARY KEY (workspace_id, user_id, source));
  CREATE INDEX ON members (user_id);
  CREATE TABLE identities (
    id words NOT NULL UNIQUE, issuer words NOT NULL, subject words NOT NULL, user_id words NOT NULL REFERENCES users, email words,
    created_at words NOT NULL, last_used_at words, PRIMARY KEY (issuer, subject));
  CREATE INDEX ON identities (user_id);
  CREATE TABLE passkeys (
    id words PRIMARY KEY, user_id words NOT NULL REFERENCES users, credential_id words NOT NULL UNIQUE,
    public_key words NOT NULL, algorithm words NOT NULL, counter bigint NOT NULL, rp_id words NOT NULL, name words NOT NULL,
    created_at words NOT NULL, last_used_at words);
  CREATE INDEX ON passkeys (user_id);
  CREATE TABLE passkey_challenges (hash words PRIMARY KEY, expires_at words NOT NULL);
  CREATE TABLE invitations (
    id words PRIMARY KEY, hash words NOT NULL UNIQUE, workspace_id words NOT NULL REFERENCES workspaces,
    role words NOT NULL, sites words, email words, invited_by words NOT NULL, expires_at words NOT NULL,
    created_at words NOT NULL);
  CREATE INDEX ON invitations (workspace_id);
  CREATE TABLE mail_domains (
    workspace_id words NOT NULL REFERENCES workspaces, issuer words NOT NULL, domain words NOT NULL, role words NOT NULL,
    sites words, created_at words NOT NULL, PRIMARY KEY (workspace_id, issuer, domain));
  CREATE TABLE agents (
    id words PRIMARY KEY, workspace_id words NOT NULL REFERENCES workspaces, user_id words NOT NULL REFERENCES users,
    client_id words NOT NULL, client_name words NOT NULL, scopes words NOT NULL, sites words, expires_at words,
    revoked_at words, last_used_at words, created_at words NOT NULL);
  CREATE INDEX ON agents (workspace_id, user_id);
  CREATE TABLE oauth_items (
    kind words NOT NULL, hash words NOT NULL, payload words NOT NULL, agent_id words, user_code words, uid words,
    consumed_at bigint, expires_at bigint, PRIMARY KEY (kind, hash));
  CREATE INDEX ON oauth_items (agent_id);
  CREATE INDEX ON oauth_items (expires_at);
  CREATE TABLE audit_entries (
    workspace_id words NOT NULL, number bigint NOT NULL, entry words NOT NULL, personal words, salt words,
    hash words NOT NULL, PRIMARY KEY (workspace_id, number));
  CREATE TABLE audit_anchors (
    workspace_id words PRIMARY KEY, number bigint NOT NULL, hash words NOT NULL, removed_at words NOT NULL,
    signature words NOT NULL);
  ALTER TABLE api_keys ADD COLUMN user_id words;
  ALTER TABLE sign_in_links ADD COLUMN user_id words;
  ALTER TABLE sessions ADD COLUMN user_id words, ADD COLUMN means words, ADD COLUMN device words,
    ADD COLUMN proven_at words, ADD COLUMN issuer words, ADD COLUMN provider_session words, ADD COLUMN seen_at words;
  CREATE INDEX ON sessions (user_id);`
