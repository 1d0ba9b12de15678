// The roles, and what each allows in words.

import type { Member } from '../api/client.js'

export type Role = Member['role']

export const ROLES: readonly Role[] = ['viewer', 'author', 'editor', 'admin', 'owner']

export const MAY: Readonly<Record<Role, string>> = {
  viewer: 'reads',
  author: 'reads, and tries changes without publishing them',
  editor: 'publishes',
  admin: 'publishes, and manages keys, people and sites',
  owner: 'does all, and manages owners',
}

/** Returns the role with what it allows: `editor: publishes`. */
export function wordRole(role: Role): string {
  return `${role}: ${MAY[role]}`
}
