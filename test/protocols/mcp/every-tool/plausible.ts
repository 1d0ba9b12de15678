// Values of arguments that fit the schemas of all tools, and name nothing that is there.

export const NOBODYS = '11111111-1111-4111-8111-111111111111'
export const PLAUSIBLE: Readonly<Record<string, unknown>> = {
  id: NOBODYS,
  recordId: NOBODYS,
  path: '/x',
  data: {},
  ifMatch: `"${'0'.repeat(40)}"`,
  edits: [{ find: 'a', replace: 'b' }],
  pages: ['/x'],
  operations: [{ op: 'putPage', path: '/x', html: 'x' }],
  commits: ['0'.repeat(40)],
  oid: '0'.repeat(40),
  version: 1,
  slug: 'second',
  since: '2026-11-22T00:00:00Z',
}
