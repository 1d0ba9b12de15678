// The table of a game: the people, keys, agents and links that are played with, who holds each secret, and what each may do now.

import { randomUUID } from 'node:crypto'
import type { Principal } from '../../../../src/model/principal.js'
import { authenticate } from '../../../../src/usecases/access/authenticate.js'
import { boundBy, personOf } from '../../../../src/usecases/access/person.js'
import { authenticateSession } from '../../../../src/usecases/access/authenticate-session.js'
import { beginSession } from '../../../../src/usecases/sign-in/sessions.js'
import type { Services } from '../../../../src/usecases/context/services.js'
import { type Atoms, NOTHING, Places, union } from './atoms.js'

/** A secret, and the player who holds it: O1 may hold a session in which it acts as another person. */
export interface Credential {
  name: string
  kind: 'session' | 'key' | 'agent'
  /** The cookie's value, the key, or the agent's id. */
  secret: string
  holder: string
  /** The person as whom a session acts. */
  userId?: string
}

export interface Invited {
  token: string
  id: string
  by: Credential
  /** The rights that the maker had. */
  held: Atoms
}

export interface SignInLink {
  token: string
  userId: string
  by: Credential
}

export class Table {
  readonly services: Services
  readonly workspaceId: string
  readonly siteIds: readonly string[]
  readonly places: Places
  /** The person of each player. Players who are programs have none. */
  readonly people = new Map<string, string>()
  readonly credentials: Credential[] = []
  readonly invitations: Invited[] = []
  readonly links: SignInLink[] = []

  constructor(services: Services, workspaceId: string, siteIds: readonly string[]) {
    this.services = services
    this.workspaceId = workspaceId
    this.siteIds = siteIds
    this.places = new Places(siteIds)
  }

  /** Makes a person, who has a session. */
  async seat(
    holder: string,
    all: readonly { role: 'owner' | 'admin' | 'editor' | 'viewer'; sites: readonly string[] | null; source: string }[],
  ): Promise<string> {
    const { catalog, clock } = this.services
    const userId = randomUUID()
    const createdAt = clock().toISOString().replace(/\.\d+/, '')
    await catalog.users.create({ id: userId, name: `${holder} ${userId.slice(0, 4)}`, createdAt })
    for (const rights of all) await catalog.members.give({ workspaceId: this.workspaceId, userId, ...rights })
    this.people.set(holder, userId)
    await this.signIn(holder, userId)
    return userId
  }

  async signIn(holder: string, userId: string): Promise<void> {
    const { workspaceId } = this
    const { secret } = await beginSession(this.services, { userId, workspaceId, means: 'passkey' })
    this.keep('session', secret, holder, userId)
  }

  keep(kind: Credential['kind'], secret: string, holder: string, userId?: string): void {
    const name = `${kind} ${this.credentials.length} of ${holder}`
    this.credentials.push({ name, kind, secret, holder, ...(userId !== undefined && { userId }) })
  }

  /** Returns the caller of a credential; undefined once it opens nothing here. */
  principalOf({ kind, secret }: Credential): Principal | undefined {
    const { services, workspaceId } = this
    try {
      const found =
        kind === 'session'
          ? authenticateSession(services, secret, workspaceId)
          : kind === 'key'
            ? authenticate(services, secret)
            : undefined
      return found?.workspaceId === workspaceId ? found : undefined
    } catch {
      return undefined
    }
  }

  /** Returns the rights of a credential now, and the person in whose name it acts. */
  async atomsOf(credential: Credential): Promise<Atoms> {
    if (credential.kind === 'agent') return await this.#atomsOfAgent(credential.secret)
    const principal = this.principalOf(credential)
    if (principal === undefined) return NOTHING
    const { kind, person, scopes, sites } = principal
    const rights =
      kind === 'session' && person !== undefined
        ? this.places.ofRole({ role: person.role, sites })
        : this.places.ofScopes(scopes, sites)
    return union(rights, new Set(person === undefined ? [] : [`as ${person.id}`]))
  }

  /** Returns the rights of a person, by any way in. */
  atomsOfPerson(userId: string): Atoms {
    const rights = this.services.catalog.members.rightsOf(this.workspaceId, userId)
    return rights === undefined ? NOTHING : this.places.ofRole(rights)
  }

  /** Returns the rights now of the maker of an invitation or a link: of the person, if a session made it. */
  async atomsOfMaker(by: Credential): Promise<Atoms> {
    return by.userId === undefined ? await this.atomsOf(by) : this.atomsOfPerson(by.userId)
  }

  /** Returns the rights of all now, by name. */
  async look(): Promise<Map<string, Atoms>> {
    const seen = new Map<string, Atoms>()
    for (const credential of this.credentials) seen.set(credential.name, await this.atomsOf(credential))
    for (const [holder, userId] of this.people) seen.set(`${holder} (${userId})`, this.atomsOfPerson(userId))
    return seen
  }

  async #atomsOfAgent(id: string): Promise<Atoms> {
    const { catalog } = this.services
    const agent = (await catalog.agents.list(this.workspaceId)).find((one) => one.id === id)
    const here = agent && personOf(catalog, this.workspaceId, agent.userId)
    if (agent === undefined || here === undefined) return NOTHING
    const { scopes, sites } = boundBy(here, agent.scopes, agent.sites)
    return union(this.places.ofScopes(scopes, sites), new Set([`as ${agent.userId}`]))
  }
}
