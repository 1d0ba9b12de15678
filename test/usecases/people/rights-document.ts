// The table of rights in docs/people.md, and the list of acts that need a fresh proof, made from the roles and the route table.

import type { Route } from '../../../src/protocols/api/routes/route.js'
import type { OpenRoute } from '../../../src/protocols/api/routes/open-route.js'
import { OTHER_ENDPOINTS, type OtherEndpoint } from '../../../src/protocols/api/routes/other-endpoints.js'
import { ROUTES } from '../../../src/protocols/api/routes/table.js'
import { ROLES, type Role, SCOPES_OF_ROLE } from '../../../src/model/rights/roles.js'
import { holdsScope, type Scope } from '../../../src/model/rights/scopes.js'

const START = '<!-- made from the route table by `npm run draw-rights` -->'
const END = '<!-- end of the table of rights -->'

/** The document with its table as the routes are now. Throws where the document has no marks. */
export function withRights(document: string): string {
  const start = document.indexOf(START)
  const end = document.indexOf(END)
  if (start < 0 || end < start) throw new Error(`docs/people.md lacks "${START}" or "${END}"`)
  return `${document.slice(0, start + START.length)}\n\n${table()}\n\n${document.slice(end)}`
}

/** A right: the routes of a tag that need the same, and the roles that have it. */
interface Right {
  what: string
  needs: string
  roles: readonly Role[]
}

function table(): string {
  const rights = new Map<string, Right & { routes: string[] }>()
  for (const route of ROUTES)
    for (const right of rightsOf(route)) {
      const key = `${right.what} ${right.needs}`
      const row = rights.get(key) ?? { ...right, routes: [] }
      row.routes.push(`\`${route.method.toUpperCase()} ${route.path}\``)
      rights.set(key, row)
    }
  const rows = [...rights.values()].map(
    ({ what, needs, roles, routes }) =>
      `| ${what} | ${ROLES.map((role) => (roles.includes(role) ? 'yes' : '')).join(' | ')} | ${needs} | ${routes.join(', ')} |`,
  )
  return [
    `| what | ${ROLES.join(' | ')} | a key needs | endpoints |`,
    `|${'---|'.repeat(ROLES.length + 3)}`,
    ...rows,
    '',
    `A fresh proof is needed for ${provenActs().join(', ')}.`,
  ].join('\n')
}

/** Lists the acts; a route that asks only for some inputs has its condition. */
function provenActs(): string[] {
  const ofTable = ROUTES.filter(({ needsProof }) => needsProof !== false).map(
    ({ method, path, needsProof }) =>
      `\`${method.toUpperCase()} ${path}\`${needsProof === true ? '' : ' (with `publicHistory`, `publicRepository` or `guestComments`)'}`,
  )
  const others: readonly OtherEndpoint[] = OTHER_ENDPOINTS
  const ofOthers = others
    .filter(({ needsProof }) => needsProof !== undefined)
    .map(
      ({ methods, paths, needsProof }) =>
        `\`${methods[0]} ${paths[0]}${typeof needsProof === 'string' ? `?${needsProof}` : ''}\``,
    )
  return [...ofTable, ...ofOthers]
}

function rightsOf(route: Route | OpenRoute): Right[] {
  if (route.caller !== 'key') return [{ what: `${route.tag}: anybody`, needs: 'no key', roles: ROLES }]
  const { tag, scope, forOneself, forOwners, query, body } = route
  if (forOwners) return [{ what: `${tag}: owners only`, needs: 'no key may', roles: ['owner'] }]
  const all = { what: `${tag}: ${verbOf(scope)}`, needs: `\`${scope}\``, roles: rolesWith(scope) }
  if (forOneself) return [{ what: `${tag}: own`, needs: 'no key may', roles: ROLES }, all]
  const hasDryRun = [query, body?.json].some((schema) => schema !== undefined && 'dryRun' in schema.properties)
  if (!hasDryRun || scope !== 'write') return [all]
  return [{ what: `${tag}: try (dry run)`, needs: '`propose`', roles: rolesWith('propose') }, all]
}

function verbOf(scope: Scope): string {
  return scope === 'admin' ? 'manage' : scope === 'sites' ? 'make' : scope
}

function rolesWith(scope: Scope): Role[] {
  return ROLES.filter((role) => holdsScope(SCOPES_OF_ROLE[role], scope))
}
