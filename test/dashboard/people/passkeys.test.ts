import assert from 'node:assert/strict'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { makeSignInToken } from '../../../src/usecases/sign-in/sign-in-link.js'
import { type Desk, sitDown } from '../desk.js'
import { addDevice } from './device.js'

describe('the dashboard: passkeys', () => {
  let desk: Desk
  let context: BrowserContext
  let tab: Page
  let devices: CDPSession
  let authenticatorId: string

  before(async function () {
    desk = await sitDown(this)
    context = await desk.newContext({ offersPasskeys: true })
    tab = await context.newPage()
    const device = await addDevice(tab)
    devices = device.devices
    authenticatorId = device.authenticatorId
  })
  after(() => desk?.leave())

  const button = (name: string | RegExp) => tab.getByRole('button', { name, exact: true })
  const heading = (name: string) => tab.getByRole('heading', { name }).waitFor()
  const link = async (name: string) => {
    const { services } = desk.service.server.service
    return desk.at(`/sign-in#${await makeSignInToken(services, desk.service.workspaceId, { label: name })}`)
  }
  const signOut = async () => {
    await tab.locator('.user-menu').click()
    await tab.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await heading('Sign in')
  }
  const makeOld = () => {
    const sqlite = openSqlite(join(desk.service.dataDir, 'catalog.db'), { synchronous: 'FULL', mustExist: true })
    sqlite.prepare("UPDATE sessions SET proven_at = '2026-01-01T00:00:00Z'").run([])
    sqlite.close()
  }

  it('are offered at once to somebody who comes in by a link, who may decline', async () => {
    await tab.goto(await link('Dana'))
    await heading('Come back with a passkey')
    for (const name of ['Add a passkey', 'Not now']) {
      await tab.keyboard.press('Tab')
      assert.equal(await tab.evaluate('document.activeElement.innerText'), name)
    }
    await tab.keyboard.press('Enter')
    await heading('Sites')
    await tab.evaluate('localStorage.clear()')
    await signOut()
    await tab.goto(await link('Dana'))
    await button('Add a passkey').click()
    await tab.getByText('signs you in from now on.').first().waitFor()
    await heading('Sites')
  })

  it('sign in without a name, by the keyboard alone, and are offered no more', async () => {
    await signOut()
    await tab.keyboard.press('Tab')
    assert.equal(await tab.evaluate('document.activeElement.innerText'), 'Sign in with a passkey')
    await tab.keyboard.press('Enter')
    await heading('Sites')
    assert.equal(await tab.locator('.user-menu').textContent(), 'Dana')
  })

  it('are named, listed and removed in the profile, where a second one of the same device is refused', async () => {
    await tab.goto(desk.at('/profile'))
    await button(/^Rename/).click()
    await tab.getByRole('dialog').getByLabel('Name').fill('My laptop')
    await tab.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await tab.getByRole('rowheader', { name: 'My laptop' }).waitFor()
    await button('Add a passkey').click()
    await tab.getByText('This device has a passkey for you already').waitFor()
    await tab.getByText('This one').waitFor()
  })

  it('prove who the person is before a key is made, and the request goes on', async () => {
    makeOld()
    await tab.goto(desk.at('/keys'))
    await button('New key').click()
    await tab.getByLabel('Label').fill('by proof')
    await tab.getByRole('button', { name: 'Create the key' }).click()
    await tab.getByRole('dialog', { name: 'Is it you?' }).waitFor()
    await tab.keyboard.press('Escape')
    await tab.getByRole('alert').getByText('needs a fresh proof').waitFor()
    await tab.getByRole('button', { name: 'Create the key' }).click()
    await button('Use my passkey').waitFor()
    assert.equal(await tab.evaluate('document.activeElement.innerText'), 'Use my passkey')
    await tab.keyboard.press('Enter')
    await tab.getByRole('dialog').getByText(/pal_/).first().waitFor()
    await tab.keyboard.press('Escape')
  })

  it('prove who the person is before an invitation, and before the past opens in a tab', async () => {
    makeOld()
    await tab.goto(desk.at('/members'))
    await button('Invite a person').click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Make the link' }).click()
    await button('Use my passkey').click()
    await tab.getByRole('region', { name: 'The link' }).waitFor()
    await tab.keyboard.press('Escape')
    makeOld()
    await desk.publish('/proved', '<p>x</p>')
    await tab.goto(desk.at('/sites/demo/history'))
    await button('More about “Publish /proved”').click()
    await tab.getByRole('menuitem', { name: 'Open the site as it was' }).click()
    const opened = tab.context().waitForEvent('page')
    await button('Use my passkey').click()
    const past = await opened
    await past.waitForURL(/\/\/link-/)
    await past.close()
  })

  it('sign nobody in if the browser has none, and the screen offers other ways', async () => {
    await signOut()
    await devices.send('WebAuthn.clearCredentials', { authenticatorId })
    await button('Sign in with a passkey').click()
    await tab.getByRole('alert').getByText('Try again, or sign in another way.').waitFor()
    await tab.getByText('I run this service').click()
    await tab.getByText('palimpsest login-link').first().waitFor()
    await tab.getByText('I have a link').click()
    await tab.getByLabel('Your link').fill('https://wrong.example')
    await button('Sign in with the link').click()
    await tab.getByText('This is no sign-in link').waitFor()
    await tab.getByLabel('Your link').fill(await link('Dana'))
    await button('Sign in with the link').click()
    await heading('Sites')
  })

  it('of a former address are named, with the ways in that are left', async () => {
    const { catalog } = desk.service.server.service.services
    const [userId = ''] = (await catalog.members.list(desk.service.workspaceId)).flatMap((member) =>
      member.name === 'Dana' ? [member.userId] : [],
    )
    await catalog.passkeys.create({ ...OLD, userId })
    await tab.goto(desk.at('/profile'))
    await tab.getByText('made for old.example').waitFor()
    await tab.getByRole('alert').getByText('add a new one').waitFor()
    await signOut()
    await button('Sign in with a passkey').click()
    await tab.getByRole('alert').getByText('made for old.example do not work at localhost').waitFor()
    await tab.getByRole('alert').getByText('ask an owner for a link, and add a new passkey').waitFor()
    await tab.goto(await link('Dana'))
    await heading('Sites')
  })

  it('of a lost device are removed for good', async () => {
    await tab.goto(desk.at('/profile'))
    await button('Remove Old').click()
    await button('Remove for good Old').click()
    await tab.getByText('“Old” is removed').waitFor()
    await tab.goto(desk.at('/profile'))
    await button('Remove My laptop').click()
    await button('Remove for good My laptop').click()
    await tab.getByText('You have none.').waitFor()
  })

  it('a new device is reported to other sessions, which can end all', async () => {
    const other = await desk.newContext({ userAgent: 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' })
    // Sessions are in order by the second in which they began.
    await pause(1100)
    const page = await other.newPage()
    await page.goto(await link('Dana'))
    await page.getByRole('heading', { name: 'Sites' }).waitFor()
    assert.equal(await page.getByText('New sign-in').count(), 0)
    await tab.goto(desk.at('/'))
    await tab.getByText('New sign-in: Firefox on Windows').waitFor()
    await button('Yes, it was me').click()
    await tab.reload()
    await heading('Sites')
    await tab.waitForLoadState('networkidle')
    assert.equal(await tab.getByText('New sign-in').count(), 0)
    await tab.evaluate('localStorage.clear()')
    await tab.reload()
    await button('End all sessions').click()
    await button('End all, also this one').click()
    await heading('You are not signed in')
    await page.reload()
    await page.getByRole('heading', { name: 'You are not signed in' }).waitFor()
  })
})

const OLD = {
  id: '3f2a9c1e-5b7d-4e0a-9c1f-2d4b6a8c0e12',
  credentialId: 'b2xk',
  publicKey: 'b2xk',
  algorithm: 'ES256',
  counter: 0,
  rpId: 'old.example',
  name: 'Old',
  createdAt: '2026-11-21T10:00:00Z',
  lastUsedAt: null,
  loan: null,
}
