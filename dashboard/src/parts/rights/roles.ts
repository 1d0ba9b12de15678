// The roles, and what each allows in words.

import type { Member } from '../../api/client.js'

export type Role = Member['role']

export const ROLES: readonly Role[] = ['viewer', 'author', 'editor', 'admin', 'owner']

export const MAY: Readonly<Record<Role, string>> = {
  viewer: 'reads',
  author: 'reads, and tries changes without publishing them',
  editor: 'publishes',
  admin: 'publishes, and manages keys, people and sites',
  owner: 'does all, and manages owners',
}

/** Says to a person what the role allows. */
export const YOU_MAY: Readonly<Record<Role, string>> = {
  viewer: 'You can look at everything, and change nothing.',
  author: 'You can write changes and propose them. An editor publishes them.',
  editor: 'You can write, change and publish pages.',
  admin: 'You can publish, make sites, and invite people.',
  owner: 'You can do everything, and choose who else owns the workspace.',
}

/** Returns the role with what it allows: `editor: publishes`. */
export function wordRole(role: Role): string {
  return `${role}: ${MAY[role]}`
}
