// The tasks about members, invitations, keys and agents.

import assert from 'node:assert/strict'
import { publishAs } from '../../support/people/as-agent.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import type { Desk } from '../desk.js'
import { startProgram } from '../people/program.js'
import type { Task } from './task.js'

/** Returns the role of a member; undefined for somebody who is none. */
async function roleOf(desk: Desk, id: string): Promise<string | undefined> {
  const { key } = await desk.service.mint({ scopes: ['admin'] })
  const { body } = await desk.service.api(key).get('/members?limit=1000').expect(200)
  return (body as { data: { id: string; role: string }[] }).data.find((member) => member.id === id)?.role
}

export const PEOPLE_TASKS: readonly Task[] = [
  {
    does: 'invites a person, and takes the invitation back',
    calls: [
      'screens/members/create-invitation.tsx POST /invitations',
      'screens/members/invitation-table.tsx DELETE /invitations/{id}',
    ],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/members'))
      await keys.push('Invite a person')
      await keys.choose(/^author:/)
      await keys.push('Make the link')
      await keys.tab.getByRole('region', { name: 'The link' }).waitFor()
      await keys.press('Escape')
      await keys.push('Take back the invitation of anybody with the link as author')
      await keys.said('The invitation is taken back.')
    },
  },
  {
    does: 'changes a role, makes a sign-in link, ends the sessions, and removes a member',
    calls: [
      'screens/members/change-role.tsx PATCH /members/{id}',
      'screens/members/member-sign-in.tsx POST /members/{id}/sign-in-link',
      'screens/members/member-sign-in.tsx DELETE /members/{id}/sessions',
      'screens/members/remove-member.tsx DELETE /members/{id}',
    ],
    async by(keys, desk) {
      const { userId } = await signInAs(desk.service, 'editor', { name: 'Ines' })
      await keys.tab.goto(desk.at('/members'))
      await keys.push('Change role of Ines')
      await keys.choose(/^viewer:/)
      await keys.push('Set the role')
      await keys.said('Ines has other rights from now on.')
      assert.equal(await roleOf(desk, userId), 'viewer')
      await keys.push('Sign-in of Ines')
      await keys.push('Make a sign-in link')
      await keys.tab.getByRole('region', { name: 'The link' }).waitFor()
      await keys.push('End all sessions')
      await keys.push('End all sessions now')
      await keys.said(/^All sessions of Ines/)
      await keys.press('Escape')
      await keys.push('Remove Ines')
      await keys.push('Remove the member')
      await keys.said('Ines is no longer a member.')
      assert.equal(await roleOf(desk, userId), undefined)
    },
  },
  {
    does: 'lets the people of a mail domain join, and ends that',
    calls: [
      'screens/members/add-mail-domain.tsx PUT /mail-domains',
      'screens/members/mail-domains.tsx DELETE /mail-domains',
    ],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/members'))
      await keys.push('Add a domain')
      await keys.fill('Mail domain', 'example.org')
      await keys.push('Let them join')
      await keys.push('Remove example.org')
      await keys.push('Remove now example.org')
      await keys.said(/^Nobody else joins by example\.org/)
    },
  },
  {
    does: 'makes a key, rotates it, and ends it',
    calls: [
      'screens/keys/create-key.tsx POST /keys',
      'screens/keys/key-table.tsx POST /keys/{id}/rotate',
      'screens/keys/key-table.tsx DELETE /keys/{id}',
    ],
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/keys'))
      await keys.push('New key')
      await keys.fill('Label', 'build')
      await keys.choose('Publish')
      await keys.unfold('Limits')
      await keys.fill('Paths', '/blog/*')
      await keys.push('Create the key')
      const key = (await keys.tab.getByLabel('The key', { exact: true }).innerText()).trim()
      await desk.service.api(key).get('/pages').expect(200)
      await keys.press('Escape')
      await keys.push('Rotate build')
      const next = (await keys.tab.getByLabel('The key', { exact: true }).innerText()).trim()
      assert.notEqual(next, key)
      await keys.press('Escape')
      await keys.push('Revoke build')
      await keys.push('Revoke for good build')
      await keys.said('The key “build” is revoked.')
      const answers = [key, next].map(async (each) => (await desk.service.api(each).get('/pages')).status)
      assert.ok((await Promise.all(answers)).includes(401))
    },
  },
  {
    does: 'connects a program, and disconnects it',
    calls: ['api/consent.ts POST /oauth/consent/{uid}/answer', 'screens/agents/agents.tsx DELETE /agents/{id}'],
    async by(keys, desk) {
      const program = await startProgram(desk)
      const token = await program.connect(keys.tab, async () => {
        await keys.choose(/^Read and write/)
        await keys.choose('all of yours, also later ones')
        await keys.push('Allow')
      })
      program.stop()
      await desk.service.api(token).get('/pages').expect(200)
      await keys.tab.goto(desk.at('/agents'))
      await keys.push('Disconnect Test agent')
      await keys.push('Disconnect now Test agent')
      await keys.said(/is disconnected/)
      await desk.service.api(token).get('/pages').expect(401)
    },
  },
  {
    does: 'undoes the work of an agent',
    calls: ['screens/agents-work/undo-run.tsx POST /sites/{id}/undo'],
    async by(keys, desk) {
      const { userId } = await signInAs(desk.service, 'editor', { name: 'Eva' })
      const agent = { id: '0c0c0c0c-0c0c-4c0c-8c0c-0c0c0c0c0c0c', client: 'Claude', userId }
      await publishAs(desk.service, agent, { path: '/by-agent', html: '<p>x</p>', reason: 'Add a page' })
      await keys.tab.goto(desk.at('/agents/work'))
      await keys.push(/^Undo: Claude /)
      await keys.push('Undo it')
      await keys.said('The work of Claude is undone.')
      assert.equal((await desk.service.visit('/by-agent')).status, 404)
    },
  },
]
