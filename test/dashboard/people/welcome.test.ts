import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { makeSignInToken } from '../../../src/usecases/sign-in/sign-in-link.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, PHONE, sitDown } from '../desk.js'
import { addDevice } from './device.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const DARK = { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' as const }
/** Folder for pictures of the screens, for people who look at them. */
const PICTURES = process.env['PICTURES']

describe('the dashboard: the welcome of a new person', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const look = async (tab: Page, name: string) => {
    if (PICTURES !== undefined) await tab.screenshot({ path: `${PICTURES}/welcome-${name}.png` })
    await tab.evaluate(AXE)
    const faults = await tab.evaluate<string[]>(`axe.run().then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`)
    assert.deepEqual(faults, [], name)
  }
  /** Opens a tab whose device makes passkeys. */
  const newTab = async (options = {}) => {
    const context = await desk.newContext({ offersPasskeys: true, ...options })
    const tab = await context.newPage()
    await addDevice(tab)
    return tab
  }
  const button = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true })
  const heading = async (tab: Page, name: string | RegExp) => await tab.getByRole('heading', { name }).waitFor()
  const outline = async (tab: Page) =>
    await tab.evaluate<string>("getComputedStyle(document.querySelector('main')).outlineStyle")

  it('asks the first owner for a name and a passkey, and says where the owner is', async () => {
    const tab = await newTab(DARK)
    const { services } = desk.service.server.service
    await tab.goto(desk.at(`/sign-in#${await makeSignInToken(services, desk.service.workspaceId, { label: 'Owner' })}`))
    await heading(tab, 'Welcome')
    assert.equal(await tab.evaluate('document.activeElement.labels?.[0]?.textContent'), 'Your name')
    await look(tab, 'name')
    await tab.keyboard.type('Olga')
    await tab.keyboard.press('Enter')
    await heading(tab, 'Come back with a passkey')
    assert.equal(await tab.evaluate('document.activeElement.tagName'), 'MAIN')
    assert.equal(await outline(tab), 'none')
    await look(tab, 'passkey')
    await button(tab, 'Add a passkey').click()
    await heading(tab, /^You are in /)
    await tab.getByText('You can do everything, and choose who else owns the workspace.').waitFor()
    await look(tab, 'in')
    await button(tab, 'Go to the sites').click()
    await heading(tab, 'Sites')
    assert.equal(await tab.locator('.user-menu').textContent(), 'Olga')
    await tab.context().close()
  })

  it('leads an invited person the same way, after a page that says who invites, where to, and as what', async () => {
    const tab = await newTab(PHONE)
    const owner = await signInAs(desk.service, 'owner', { name: 'Grace' })
    const { body } = await owner.send('post', '/invitations').send({ role: 'editor' }).expect(201)
    await tab.goto((body.data as { url: string }).url)
    await heading(tab, /^Grace invites you to /)
    await tab.getByText('You can write, change and publish pages.').waitFor()
    await tab.getByText(/^Palimpsest publishes the web pages of /).waitFor()
    await look(tab, 'invitation')
    await tab.getByLabel('Your name').fill('Ines')
    await button(tab, 'Join').click()
    await heading(tab, 'Come back with a passkey')
    await button(tab, 'Add a passkey').click()
    await heading(tab, /^You are in /)
    assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width)
    await look(tab, 'invited')
    await button(tab, 'Go to the sites').click()
    await heading(tab, 'Sites')
    await tab.context().close()
  })

  it('shows the site of an invitation by its name and a picture of its start page', async () => {
    const tab = await newTab()
    const owner = await signInAs(desk.service, 'owner', { name: 'Gunda' })
    const { id } = desk.service.site
    await owner.send('patch', `/sites/${id}`).send({ name: 'Chess Club' }).expect(200)
    const { body } = await owner
      .send('post', '/invitations')
      .send({ role: 'viewer', sites: [id] })
      .expect(201)
    await tab.goto((body.data as { url: string }).url)
    await heading(tab, /^Gunda invites you to /)
    await tab.getByText('Chess Club').waitFor()
    await tab.locator('iframe').contentFrame().getByRole('heading', { includeHidden: true }).first().waitFor()
    await look(tab, 'invitation-to-one-site')
    await tab.context().close()
  })

  it('takes nobody in who only opens the invitation', async () => {
    const tab = await newTab()
    const owner = await signInAs(desk.service, 'owner', { name: 'Host' })
    const { body } = await owner.send('post', '/invitations').send({ role: 'viewer' }).expect(201)
    await tab.goto((body.data as { url: string }).url)
    await heading(tab, /^Host invites you to /)
    const { body: open } = await owner.send('get', '/invitations').expect(200)
    const { id } = body.data as { id: string }
    assert.ok((open.data as { id: string }[]).some((each) => each.id === id))
    await tab.context().close()
  })

  it('shows no frame around a screen to which a script moves the focus', async () => {
    await desk.tab.goto(desk.at('/'))
    await heading(desk.tab, 'Sites')
    await desk.tab.getByRole('link', { name: 'API keys' }).focus()
    await desk.tab.keyboard.press('Enter')
    await heading(desk.tab, 'API keys')
    assert.equal(await desk.tab.evaluate('document.activeElement.tagName'), 'MAIN')
    assert.equal(await outline(desk.tab), 'none')
  })
})
