// The bodies and queries of the test of rights. Those that can be a dry run are valid, as the right to write is checked after the body;
// the others are not valid, so that a caller with rights changes nothing.

import type { Route } from '../../../src/protocols/api/routes/route.js'

const NO_COMMIT = '1'.repeat(40)

const VALID: Readonly<Record<string, object>> = {
  // There is such a site.
  createSite: { slug: 'second' },
  createPage: { path: '/tried', html: 'x' },
  putPage: { html: 'x' },
  retitlePage: { title: 'x' },
  replacePage: { html: 'x' },
  editContent: { edits: [{ find: 'x', replace: 'y' }] },
  rollbackPage: { version: 1 },
  batch: { operations: [{ op: 'createPage', path: '/tried', html: 'x' }] },
  editFile: { edits: [{ find: 'x', replace: 'y' }] },
  editPages: { prefix: '/', edits: [{ find: 'not there', replace: 'y' }] },
  undoCommits: { commits: [NO_COMMIT] },
  writeFile: { path: '/tried.txt', text: 'x' },
  moveFolder: { from: '/not-there/', to: '/tried-too/' },
  moveFile: { from: '/not-there.txt', to: '/tried-too.txt' },
  rollbackFile: { path: '/not-there.txt', version: 1 },
  revertCommit: { commit: NO_COMMIT },
}

/** Where a route takes `dryRun`; undefined for a route that has no dry run. */
export function dryRunPlace({ query, body }: Route): 'query' | 'body' | undefined {
  if (query !== undefined && 'dryRun' in query.properties) return 'query'
  return body !== undefined && 'dryRun' in body.json.properties ? 'body' : undefined
}

/** Returns the query and the body of a request. */
export function inputOf(route: Route, isDryRun: boolean): { query: string; body: string | undefined; type: string } {
  const place = dryRunPlace(route)
  const query = new URLSearchParams()
  if (['putPage', 'diffChangeOfRequest'].includes(route.operationId)) query.set('path', '/tried')
  if (['putFile', 'editFile', 'deleteFile'].includes(route.operationId)) query.set('path', '/tried.txt')
  // The session of the caller must go on.
  if (route.operationId === 'endSessions') query.set('others', 'true')
  if (isDryRun && place === 'query') query.set('dryRun', 'true')
  if (route.bytes !== undefined) return { query: `?${query.toString()}`, body: 'x', type: 'text/plain' }
  if (route.body === undefined) return { query: `?${query.toString()}`, body: undefined, type: '' }
  const body =
    place === undefined
      ? (VALID[route.operationId] ?? { unknown: 1 })
      : { ...VALID[route.operationId], ...(isDryRun && place === 'body' && { dryRun: true }) }
  return { query: `?${query.toString()}`, body: JSON.stringify(body), type: 'application/json' }
}
