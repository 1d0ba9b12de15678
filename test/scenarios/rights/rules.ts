// The rules of rights, written by hand: what each caller may expect of each route and tool. They know no code of the service.

/** A caller, described by what was given to it. */
export interface Caller {
  name: string
  means: 'nothing' | 'key' | 'session' | 'agent of the API' | 'agent of the tools'
  /** The scopes of the key or agent. */
  scopes?: readonly string[]
  /** The person's role. */
  role?: string
  isLimited: boolean
}

export type SiteSeen = 'own' | 'outside its limits' | 'of another workspace'

export type Door = 'API' | 'tools'

export interface Asked {
  door: Door
  /** The scope that the documentation of the route, or of the tool's route, names. */
  scope: string
  isDryRun: boolean
  /** Whether it is one of the routes by which people manage what is their own. */
  isForOneself: boolean
  isForOwners: boolean
  /** Whether it shows what happens in all of the workspace, or adds a site to it. */
  isOfWorkspace: boolean
  site: SiteSeen
}

export type Answer = 'unknown caller' | 'no such site' | 'not allowed' | 'owners only' | 'allowed'

const STRENGTH = ['read', 'propose', 'write', 'sites', 'admin']
const OF_ROLE: Readonly<Record<string, string>> = {
  viewer: 'read',
  author: 'propose',
  editor: 'write',
  admin: 'admin',
  owner: 'admin',
}

/** Means of callers that a door does not know. */
const UNKNOWN: Readonly<Record<Door, readonly string[]>> = {
  API: ['nothing', 'agent of the tools'],
  tools: ['nothing', 'agent of the API', 'session'],
}

/** 1. Who shows nothing is unknown. A token is for the API or for the tools, and unknown to the other. The tools know no session. */
const isUnknown = ({ means }: Caller, { door }: Asked) => UNKNOWN[door].includes(means)

/** 2. Sites of other workspaces do not exist. 3. Sites outside of the caller's limits do not exist. */
const isHidden = ({ isLimited }: Caller, { site }: Asked) =>
  site === 'of another workspace' || (site === 'outside its limits' && isLimited)

/** 4. A key or an agent may do what its scopes say, 5. and never more than its person. 6. A person in a session may do what the role says. */
function strengthOf({ scopes, role }: Caller): number {
  const given = scopes === undefined ? 'admin' : scopes.toSorted(byStrength).at(-1)
  return Math.min(
    STRENGTH.indexOf(given ?? 'read'),
    STRENGTH.indexOf(role === undefined ? 'admin' : (OF_ROLE[role] ?? '')),
  )
}

const byStrength = (one: string, other: string) => STRENGTH.indexOf(one) - STRENGTH.indexOf(other)

/** 7. A dry run of a write needs `propose` only. */
const neededBy = ({ scope, isDryRun }: Asked) => STRENGTH.indexOf(scope === 'write' && isDryRun ? 'propose' : scope)

/** 8. A person who is signed in manages what is the person's own. */
const managesOwn = ({ means, role }: Caller, { isForOneself }: Asked) =>
  means === 'session' && role !== undefined && isForOneself

/** 9. Some routes are for owners who are signed in: no key and no agent is an owner. 10. A session from before people had accounts is. */
const mayOwn = ({ means, role }: Caller) => means === 'session' && (role === undefined || role === 'owner')

/** 11. Who is limited to sites does not see what happens in all of the workspace, and makes no sites. */
const goesBeyond = ({ isLimited }: Caller, { isOfWorkspace }: Asked) => isLimited && isOfWorkspace

/** Returns the answer that the rules demand. */
export function demand(caller: Caller, asked: Asked): Answer {
  if (isUnknown(caller, asked)) return 'unknown caller'
  if (isHidden(caller, asked)) return 'no such site'
  if (!managesOwn(caller, asked) && strengthOf(caller) < neededBy(asked)) return 'not allowed'
  if (goesBeyond(caller, asked)) return 'not allowed'
  return asked.isForOwners && !mayOwn(caller) ? 'owners only' : 'allowed'
}
