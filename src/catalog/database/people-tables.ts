// The tables of people, agents and the audit log: a part of the list in `tables.ts`, whose rules hold here too.

import type { Role } from '../../model/rights/roles.js'
import { bigint, from, idOf, table, text } from './columns.js'

/** Columns of everything that an owner may lend: its only workspace, and its makers. Both are null for a person's own way in. */
const LOAN = { boundTo: from(18, text()), lentBy: from(18, text()) }

export const PEOPLE = {
  signInLinks: table(3, {
    /** SHA-256 of the link's token, hex. */
    hash: text('primary key'),
    workspaceId: idOf('workspaces'),
    /** The name of a new person. */
    label: text('not null'),
    expiresAt: text('not null'),
    /** The person that it lets in; null: the one that the label names, or a new one. */
    userId: from(17, text()),
    ...LOAN,
  }),
  sessions: table(3, {
    id: text('primary key'),
    /** SHA-256 of the cookie's value, hex. */
    hash: text('not null unique'),
    workspaceId: idOf('workspaces'),
    /** Name of the person, shown as the author of commits, if the session has no person. */
    label: text('not null'),
    expiresAt: text('not null'),
    createdAt: text('not null'),
    /** Null for sessions that began before people had accounts. */
    userId: from(17, text()),
    /** The proof that began it. */
    means: from(17, text<'link' | 'passkey' | 'provider'>()),
    /** Browser and system, as the person recognizes them. */
    device: from(17, text()),
    /** When the person last proved who they are. */
    provenAt: from(17, text()),
    /** The identity provider, and its own session, which can end this one. */
    issuer: from(17, text()),
    providerSession: from(17, text()),
    /** Last use, to the hour. */
    seenAt: from(17, text()),
    ...LOAN,
  }),
  users: table(17, {
    id: text('primary key'),
    /** Shown as the author of commits. */
    name: text('not null'),
    createdAt: text('not null'),
  }),
  /** The rights of a person in a workspace: one row for each source (`SourcedRights`). */
  members: table(
    17,
    {
      workspaceId: idOf('workspaces'),
      userId: idOf('users'),
      source: text('not null'),
      role: text<Role>('not null'),
      /** Ids of the only sites that the role is for; null means all. */
      sites: text(),
      expiresAt: text(),
      createdAt: text('not null'),
    },
    ['workspaceId', 'userId', 'source'],
  ),
  /** Accounts at identity providers. */
  identities: table(
    17,
    {
      id: text('not null unique'),
      issuer: text('not null'),
      subject: text('not null'),
      userId: idOf('users'),
      /** The address that the provider verified at the last sign-in. */
      email: text(),
      createdAt: text('not null'),
      lastUsedAt: text(),
      ...LOAN,
    },
    ['issuer', 'subject'],
  ),
  passkeys: table(17, {
    id: text('primary key'),
    userId: idOf('users'),
    /** Base64url, as WebAuthn writes it. */
    credentialId: text('not null unique'),
    publicKey: text('not null'),
    algorithm: text('not null'),
    /** The count of its uses. It stays 0 for passkeys that several devices share. */
    counter: bigint('not null'),
    /** The host that it was made for: it works at no other. */
    rpId: text('not null'),
    name: text('not null'),
    createdAt: text('not null'),
    lastUsedAt: text(),
    ...LOAN,
  }),
  /** Step 20 drops it from catalog.db. Older nodes still use it in PostgreSQL: a later release drops it there. */
  passkeyChallenges: table(17, { hash: text('primary key'), expiresAt: text('not null') }),
  invitations: table(17, {
    id: text('primary key'),
    /** SHA-256 of the link's token, hex. */
    hash: text('not null unique'),
    workspaceId: idOf('workspaces'),
    role: text<Role>('not null'),
    sites: text(),
    /** The only verified address that may take it, in lower case; null: anybody with the link. */
    email: text(),
    /** `user <id>`, or kind and id of the principal. */
    invitedBy: text('not null'),
    expiresAt: text('not null'),
    createdAt: text('not null'),
  }),
  /** Domains whose verified addresses at a provider may join by themselves. */
  mailDomains: table(
    17,
    {
      workspaceId: idOf('workspaces'),
      issuer: text('not null'),
      /** In lower case. */
      domain: text('not null'),
      role: text<Role>('not null'),
      sites: text(),
      createdAt: text('not null'),
    },
    ['workspaceId', 'issuer', 'domain'],
  ),
  /** Agents that people connected by OAuth: one row for each grant. */
  agents: table(17, {
    /** Id of the OAuth grant. */
    id: text('primary key'),
    workspaceId: idOf('workspaces'),
    /** The person for whom it acts. */
    userId: idOf('users'),
    /** A registered id, or the URL of the client's metadata. */
    clientId: text('not null'),
    /** The client's own claim. */
    clientName: text('not null'),
    scopes: text('not null'),
    /** Ids of the only sites it may use; null means all of its person's. */
    sites: text(),
    expiresAt: text(),
    revokedAt: text(),
    /** Last use, to the minute: uses are written in batches. */
    lastUsedAt: text(),
    createdAt: text('not null'),
    /** Browser and system with which its person connected it; null if unknown. */
    device: from(20, text()),
  }),
  /** The state of the authorization server: clients, codes, tokens. Also sign-ins that are not finished (`PendingSignIns`). */
  oauthItems: table(
    17,
    {
      kind: text('not null'),
      /** SHA-256 of its id, hex: the id of a token is the token. */
      hash: text('not null'),
      /** JSON without the id. */
      payload: text('not null'),
      agentId: text(),
      userCode: text(),
      uid: text(),
      /** Seconds since the epoch. */
      consumedAt: bigint(),
      /** Seconds since the epoch. */
      expiresAt: bigint(),
      /** The network of the address that asked for it, while nobody with an account stands behind it. */
      askedFrom: from(20, text()),
      /** Seconds since the epoch. */
      madeAt: from(20, bigint()),
    },
    ['kind', 'hash'],
  ),
  auditEntries: table(
    17,
    {
      /** Empty for the operator's entries. */
      workspaceId: text('not null'),
      number: bigint('not null'),
      /** Canonical JSON of what the chain holds. */
      entry: text('not null'),
      /** JSON of names, addresses and devices; null once erased. `entry` holds its salted hash. */
      personal: text(),
      salt: text(),
      /** SHA-256 of the previous entry's hash and this `entry`, hex. */
      hash: text('not null'),
    },
    ['workspaceId', 'number'],
  ),
  /** The last entry that retention removed from each chain. */
  auditAnchors: table(17, {
    workspaceId: text('primary key'),
    number: bigint('not null'),
    hash: text('not null'),
    removedAt: text('not null'),
    /** A key of the service signed `anchorText`. */
    signature: text('not null'),
  }),
  /** The workspaces that sessions open no more. */
  closedSessions: table(18, { sessionId: text('not null'), workspaceId: text('not null') }, [
    'sessionId',
    'workspaceId',
  ]),
}
