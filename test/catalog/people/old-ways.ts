// Rows of a catalog from before owners' links were bound, and what is expected of them after: the same for both databases.

export interface OldRow {
  table: string
  row: Record<string, unknown>
}

const MONDAY = '2026-11-02T00:00:00Z'
const TUESDAY = '2026-11-03T00:00:00Z'
const WEDNESDAY = '2026-11-04T00:00:00Z'
const LATER = '2026-12-01T00:00:00Z'

let number = 0

function entry(workspace: string, action: string, target: string, actor: object, at: string): OldRow {
  number += 1
  const text = JSON.stringify({ number, at, actor, action, target, details: {}, personal: null })
  return { table: 'audit_entries', row: { workspace_id: workspace, number, entry: text, hash: `h${number}` } }
}

function lent(workspace: string, maker: string, to: string): OldRow {
  return entry(workspace, 'member.sign_in_link', `user ${to}`, { kind: 'session', id: 's', userId: maker }, TUESDAY)
}

function passkey(id: string, user: string, at: string): OldRow {
  const fields = { public_key: 'p', algorithm: 'ES256', counter: 0, rp_id: 'h', name: id }
  return { table: 'passkeys', row: { id, user_id: user, credential_id: id, ...fields, created_at: at } }
}

function session(id: string, user: string, means: string, at: string): OldRow {
  const times = { created_at: at, expires_at: LATER, proven_at: at }
  return { table: 'sessions', row: { id, hash: id, workspace_id: 'w1', label: user, user_id: user, means, ...times } }
}

/** The owners O1 and O2 made links for Vic, and the owners of two workspaces for Bea. Nobody made one for Ann. */
export const OLD_ROWS: readonly OldRow[] = [
  ...['w1', 'w2'].map((id) => ({ table: 'workspaces', row: { id, name: id, created_at: MONDAY } })),
  ...['vic', 'bea', 'ann', 'o1', 'o2'].map((id) => ({ table: 'users', row: { id, name: id, created_at: MONDAY } })),
  lent('w1', 'o1', 'vic'),
  lent('w1', 'o2', 'vic'),
  lent('w1', 'o1', 'bea'),
  lent('w2', 'o2', 'bea'),
  ...['vic', 'bea', 'ann'].flatMap((user) => [
    passkey(`${user} before`, user, MONDAY),
    passkey(`${user} after`, user, WEDNESDAY),
    session(`${user} before`, user, 'passkey', MONDAY),
    session(`${user} by link`, user, 'link', WEDNESDAY),
    session(`${user} by passkey`, user, 'passkey', WEDNESDAY),
    {
      table: 'identities',
      row: { id: user, issuer: 'i', subject: user, user_id: user, created_at: WEDNESDAY },
    },
  ]),
  ...[
    { hash: 'of an owner', user_id: 'vic' },
    { hash: 'of the operator', user_id: null },
  ].map((row) => ({
    table: 'sign_in_links',
    row: { ...row, workspace_id: 'w1', label: 'x', expires_at: LATER },
  })),
  { table: 'sites', row: { id: 'site', workspace_id: 'w1', slug: 'site', state: 'live', created_at: MONDAY } },
  ...['by session', 'by agent', 'unknown'].map((id) => ({
    table: 'links',
    row: { id, site_id: 'site', commit_oid: 'c', hash: 'h', author: 'a', expires_at: LATER, created_at: MONDAY },
  })),
  entry('w1', 'link.create', 'link by session', { kind: 'session', id: 's', userId: 'ann' }, MONDAY),
  entry('w1', 'link.create', 'link by agent', { kind: 'agent', id: 'a1', userId: 'ann', client: 'c' }, MONDAY),
]

export const EXPECTED: Readonly<Record<string, readonly (readonly (string | null)[])[]>> = {
  'SELECT id, bound_to, lent_by FROM passkeys ORDER BY id': [
    ['ann after', null, null],
    ['ann before', null, null],
    ['bea after', '', 'o1 o2'],
    ['bea before', null, null],
    ['vic after', 'w1', 'o1 o2'],
    ['vic before', null, null],
  ],
  'SELECT id, bound_to, lent_by FROM identities ORDER BY id': [
    ['ann', null, null],
    ['bea', '', 'o1 o2'],
    ['vic', 'w1', 'o1 o2'],
  ],
  'SELECT id, bound_to, proven_at FROM sessions ORDER BY id': [
    ['ann before', null, MONDAY],
    ['ann by link', null, WEDNESDAY],
    ['ann by passkey', null, WEDNESDAY],
    ['bea before', null, MONDAY],
    ['bea by link', '', null],
    ['vic before', null, MONDAY],
    ['vic by link', 'w1', null],
  ],
  'SELECT hash, bound_to FROM sign_in_links': [['of the operator', null]],
  'SELECT id, made_by FROM links ORDER BY id': [
    ['by agent', 'agent a1'],
    ['by session', 'user ann'],
    ['unknown', null],
  ],
}
