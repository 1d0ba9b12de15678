// The roles of people in a workspace, from the weakest to the strongest, and the scopes that each gives.

import type { Scope } from './scopes.js'

export const ROLES = ['viewer', 'author', 'editor', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** The strongest scopes of each role; `holdsScope` says what they imply. Only owners change owners and the ways to sign in. */
export const SCOPES_OF_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: ['read'],
  author: ['read', 'propose'],
  editor: ['read', 'write'],
  admin: ['read', 'write', 'admin'],
  owner: ['read', 'write', 'admin'],
}

export function isRole(word: string): word is Role {
  return (ROLES as readonly string[]).includes(word)
}

/** Whether `role` may do all that `other` may do. */
export function isAtLeast(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(other)
}

/** A role in a workspace; `sites` are the ids of the only sites it is for, and null is all. */
export interface Rights {
  role: Role
  sites: readonly string[] | null
}

/** A right of a person, and its source. Sources change only their own rights. */
export interface SourcedRights extends Rights {
  /** `hand`, `link`, `invitation`, `domain`, or `provider <issuer>`. */
  source: string
}

/** The role that somebody with the scope admin set. It counts before every other source, so that it can also take rights away. */
export const BY_HAND = 'hand'

/** Returns the rights that count: those set by hand, else the strongest; of two equal roles, the sites of both. */
export function joinRights(all: readonly SourcedRights[]): Rights | undefined {
  const byHand = all.find(({ source }) => source === BY_HAND)
  if (byHand !== undefined) return byHand
  return all.reduce<Rights | undefined>((best, { role, sites }) => {
    if (best === undefined || !isAtLeast(best.role, role)) return { role, sites }
    if (best.role !== role) return best
    const both = best.sites === null || sites === null ? null : [...new Set([...best.sites, ...sites])]
    return { role, sites: both }
  }, undefined)
}
