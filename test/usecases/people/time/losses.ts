// The ways to lose a right: what the owner of the workspace, or the person, does between making and trying.

import { joinElsewhere, type People, type World } from './people.js'
import type { Loss } from './rules.js'
import type { Made } from './ways.js'

export type LossToTry = Loss & { happen: (world: World, people: People, made: Made) => Promise<unknown> }

const change = (body: (world: World) => object): LossToTry['happen'] => {
  return (world, { maker }) => world.hanna.send('patch', `/members/${maker.userId}`).send(body(world)).expect(200)
}

export const LOSSES: readonly LossToTry[] = [
  { name: 'nothing happened', role: 'owner', happen: () => Promise.resolve() },
  {
    name: 'the maker was removed',
    role: null,
    happen: ({ hanna }, { maker }) => hanna.send('delete', `/members/${maker.userId}`).expect(200),
  },
  {
    name: 'the maker left',
    role: null,
    happen: ({ here }, { maker }) => maker.send('delete', `/me/workspaces/${here.workspaceId}`).expect(200),
  },
  { name: 'the maker was made a viewer', role: 'viewer', happen: change(() => ({ role: 'viewer' })) },
  {
    name: 'the maker was limited to another site',
    role: 'editor',
    isLimited: true,
    happen: change(({ otherSite }) => ({ role: 'editor', sites: [otherSite] })),
  },
  {
    name: 'the key was ended',
    role: 'owner',
    ends: 'key',
    happen: async ({ hanna }, _, { keyId }) =>
      keyId === undefined ? undefined : await hanna.send('delete', `/keys/${keyId}`).expect(200),
  },
  {
    name: 'the agent was disconnected',
    role: 'owner',
    ends: 'agent',
    happen: async ({ hanna }, _, { agentId }) =>
      agentId === undefined ? undefined : await hanna.send('delete', `/agents/${agentId}`).expect(200),
  },
  {
    name: 'both joined elsewhere',
    role: 'owner',
    joined: true,
    async happen(world, { maker, borrower }) {
      await joinElsewhere(world, maker, 'viewer')
      await joinElsewhere(world, borrower, 'owner')
    },
  },
]
