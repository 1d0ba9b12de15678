// The tasks about what is a person's own: the way in and out, the name, passkeys, accounts and sessions.

import assert from 'node:assert/strict'
import { makeSignInToken } from '../../../src/usecases/sign-in/sign-in-link.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import type { Desk } from '../desk.js'
import { addDevice } from '../people/device.js'
import type { Keys } from './keys.js'
import type { Task } from './task.js'

/** A proof of who a person is counts no longer than that. */
const PROOF_SECONDS = 601

async function signOut(keys: Keys, name: string): Promise<void> {
  await keys.pick(new RegExp(name), 'Sign out')
  await keys.reach('button', 'Sign in with a passkey')
}

async function signInWith(keys: Keys, desk: Desk, label: string): Promise<void> {
  const { services } = desk.service.server.service
  const token = await makeSignInToken(services, desk.service.workspaceId, { label })
  await keys.unfold('I have a link')
  await keys.fill('Your link', desk.at(`/sign-in#${token}`))
  await keys.press('Enter')
}

export const OWN_TASKS: readonly Task[] = [
  {
    does: 'signs out, comes in by a link that is pasted, says a name, and adds a passkey',
    calls: [
      'api/session.ts DELETE /session',
      'api/session.ts POST /session',
      'screens/sign-in/welcome.tsx PATCH /me',
      'api/passkeys.ts POST /me/passkeys/options',
      'api/passkeys.ts POST /me/passkeys',
    ],
    screens: ['/sign-in'],
    async by(keys, desk) {
      await addDevice(keys.tab)
      await signOut(keys, 'Ada')
      await keys.tab.evaluate("localStorage.removeItem('passkey-declined')")
      await signInWith(keys, desk, 'Owner')
      await keys.fill('Your name', 'Olga')
      await keys.press('Enter')
      await keys.push(/^(Add a passkey|Go to the sites)$/)
      await keys.sees(/^You are in /)
    },
  },
  {
    does: 'signs in with a passkey, proves with it who they are, renames it, and removes it',
    calls: [
      'api/passkeys.ts POST /session/passkey/options',
      'api/passkeys.ts POST /session/passkey',
      'api/passkeys.ts POST /session/proof',
      'screens/profile/my-passkeys.tsx PATCH /me/passkeys/{id}',
      'screens/profile/my-passkeys.tsx DELETE /me/passkeys/{id}',
    ],
    as: 'Pia',
    async by(keys, desk, passTime) {
      await addDevice(keys.tab)
      await keys.tab.goto(desk.at('/profile'))
      await keys.push('Add a passkey')
      await keys.said(/^The passkey .* is added\.$/)
      await signOut(keys, 'Pia')
      await keys.push('Sign in with a passkey')
      await keys.tab.waitForURL(desk.at('/'))
      passTime(PROOF_SECONDS)
      await keys.tab.goto(desk.at('/keys'))
      await keys.push('New key')
      await keys.fill('Label', 'proved')
      await keys.push('Create the key')
      await keys.push('Use my passkey')
      await keys.tab.getByLabel('The key', { exact: true }).waitFor()
      await keys.press('Escape')
      await keys.tab.goto(desk.at('/profile'))
      await keys.push(/^Rename /)
      await keys.fill('Name', 'My laptop')
      await keys.press('Enter')
      await keys.push('Remove My laptop')
      await keys.push('Remove for good My laptop')
      await keys.said(/^The passkey “My laptop” is removed/)
    },
  },
  {
    does: 'joins by an invitation',
    calls: ['api/join.ts POST /session/invitation', 'api/join.ts POST /session/invitation/accept'],
    screens: ['/join'],
    async by(keys, desk) {
      const owner = await signInAs(desk.service, 'owner', { name: 'Grace' })
      const { body } = await owner.send('post', '/invitations').send({ role: 'editor' }).expect(201)
      await keys.tab.context().clearCookies()
      await keys.tab.goto((body as { data: { url: string } }).data.url)
      await keys.fill('Your name', 'Kay')
      await keys.push('Join')
      await keys.push('Go to the sites')
      await keys.sees('Sites')
      const { catalog } = desk.service.server.service.services
      const members = await catalog.members.list(desk.service.workspaceId)
      assert.ok(members.some(({ name }) => name === 'Kay'))
    },
  },
  {
    does: 'changes their name',
    calls: ['screens/profile/profile.tsx PATCH /me'],
    as: 'Nora',
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/profile'))
      await keys.fill('Your name', 'Nora L')
      await keys.push('Save the name')
      await keys.said('Your name is Nora L from now on.')
    },
  },
  {
    does: 'adds an account at a provider, and removes it',
    calls: ['screens/profile/identities.tsx DELETE /me/identities/{id}'],
    as: 'Ida',
    async by(keys, desk) {
      await addDevice(keys.tab)
      await keys.tab.goto(desk.at('/profile'))
      await keys.push('Add a passkey')
      await keys.said(/^The passkey .* is added\.$/)
      await keys.push('Add an account at Example Inc.')
      await keys.push('Remove the account at Example Inc.')
      await keys.push('Remove for good the account at Example Inc.')
      await keys.said('The account at Example Inc. signs you in no more.')
    },
  },
  {
    does: 'ends one session, and all others',
    calls: [
      'screens/profile/my-sessions.tsx DELETE /me/sessions/{id}',
      'screens/profile/my-sessions.tsx DELETE /me/sessions',
    ],
    async by(keys, desk) {
      const others = [await desk.signIn(), await desk.signIn()]
      await keys.tab.goto(desk.at('/profile'))
      await keys.push(/^End (?!all)/)
      await keys.push(/^End now /)
      await keys.push('End all others')
      await keys.push('End all others now')
      await keys.said(/session/)
      for (const other of others) await other.context().close()
    },
  },
  {
    does: 'leaves the workspace',
    calls: ['screens/profile/profile.tsx DELETE /me/workspaces/{id}'],
    as: 'Lea',
    async by(keys, desk) {
      await keys.tab.goto(desk.at('/profile'))
      await keys.push(/^Leave (?!now)/)
      await keys.push(/^Leave now /)
      await keys.sees('You are not signed in')
      await keys.reach('button', 'Sign in with a passkey')
    },
  },
  {
    does: 'hears of a sign-in on a new device, and ends all sessions',
    calls: ['frame/new-sign-in.tsx DELETE /me/sessions'],
    async by(keys, desk, passTime) {
      passTime(1)
      const other = await desk.newContext({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' })
      const page = await other.newPage()
      await page.goto(await desk.link())
      await page.getByRole('heading', { name: 'Sites' }).waitFor()
      await keys.tab.goto(desk.at('/'))
      await keys.push('End all sessions')
      await keys.push('End all, also this one')
      await keys.sees('You are not signed in')
      await other.close()
    },
  },
]
