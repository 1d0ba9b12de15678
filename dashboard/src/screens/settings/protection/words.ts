// The words for who publishes in a site, and for who approves.

import type { Protection } from '../../../api/client.js'

type Kind = Protection['protection']
type Approvers = Protection['approvers']

export const KINDS: readonly Kind[] = ['none', 'agents', 'all']
export const PUBLISHING: Readonly<Record<Kind, { label: string; sentence: string }>> = {
  none: { label: 'All publish', sentence: 'Everybody who may publish does so at once, with keys and agents too.' },
  agents: {
    label: 'Agents ask',
    sentence: 'People publish at once. What keys and agents write waits until a person approves it.',
  },
  all: { label: 'All ask', sentence: 'Every change waits until another person approves it.' },
}

export const APPROVERS: readonly Approvers[] = ['editor', 'admin', 'owner']
export const APPROVING: Readonly<Record<Approvers, string>> = {
  editor: 'editors, admins and owners',
  admin: 'admins and owners',
  owner: 'owners alone',
}
