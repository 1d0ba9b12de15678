import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { Role } from '../../../src/model/rights/roles.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, sitDown } from '../desk.js'
import { makeSite } from '../make-site.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const FAULTS = 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))'
/** Types words and presses Enter before any answer for them can arrive. */
const TYPE_AND_ENTER = `(async () => {
  const field = document.activeElement
  field.value = 'settings git'
  field.dispatchEvent(new Event('input', { bubbles: true }))
  await new Promise((resolve) => setTimeout(resolve))
  field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
})()`

describe('the search over everything', () => {
  let desk: Desk
  let fair: string
  /** A site that the tests do not look at. */
  let other: string

  before(async function () {
    desk = await sitDown(this)
    fair = await desk.publish('/fair', '<title>Our spring fair</title><p>Cakes and music')
    other = await makeSite(desk.service)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const open = async (tab: Page, path: string) => {
    await tab.goto(desk.at(path))
    await tab.locator('.user-menu').waitFor()
    await tab.keyboard.press('Control+k')
    return tab.getByRole('combobox', { name: 'Find a site' })
  }
  const found = (tab: Page, name: string | RegExp) =>
    tab.getByRole('dialog', { name: 'Search' }).getByRole('option', { name })
  const enter = async (role: Role) => {
    const context = await desk.newContext()
    const { cookie } = await signInAs(desk.service, role, { name: `One ${role}` })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: desk.at('/') }])
    return await context.newPage()
  }

  it('takes the words that are typed at once, and opens a page by its title with Enter', async () => {
    const { tab } = desk
    await open(tab, '/sites/demo')
    await tab.keyboard.type('spring fa')
    await found(tab, 'Our spring fair').waitFor()
    await tab.keyboard.press('Enter')
    await tab.waitForURL(desk.at(`/sites/demo/pages/${fair}`))
    await tab.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' })
  })

  it('finds a page by its text in the shown site, and by its title from anywhere', async () => {
    const { tab } = desk
    await open(tab, '/sites/demo/files')
    await tab.keyboard.type('cakes')
    await found(tab, 'Our spring fair').waitFor()
    await open(tab, `/sites/${other}`)
    await tab.keyboard.type('our spring')
    await found(tab, 'Our spring fair').waitFor()
  })

  it('moves with the arrows, tells screen readers the active one, and begins anew at the first', async () => {
    const { tab } = desk
    const field = await open(tab, '/')
    await found(tab, 'All sites').waitFor()
    const active = async () =>
      await tab.locator(`[id="${await field.getAttribute('aria-activedescendant')}"]`).getAttribute('aria-selected')
    const at = () => tab.getByRole('option', { selected: true }).innerText()
    assert.equal(await active(), 'true')
    const first = await at()
    await tab.keyboard.press('ArrowDown')
    assert.notEqual(await at(), first)
    await tab.keyboard.press('ArrowUp')
    assert.equal(await at(), first)
    await tab.keyboard.press('ArrowUp')
    const last = await at()
    await tab.keyboard.press('ArrowDown')
    assert.equal(await at(), first)
    assert.notEqual(last, first)
    assert.equal(await active(), 'true')
    await tab.keyboard.press('Escape')
    await tab.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('begins a page in another site, invites, and opens a part of the settings', async () => {
    const { tab } = desk
    await open(tab, '/sites/demo')
    await tab.keyboard.type(`new page ${other}`)
    await found(tab, `New page in ${other}`).waitFor()
    await tab.keyboard.press('Enter')
    await tab.waitForURL(desk.at(`/sites/${other}/new`))
    await open(tab, '/members')
    await tab.keyboard.type('invite')
    await found(tab, 'Invite a person').waitFor()
    await tab.keyboard.press('Enter')
    await tab.getByRole('dialog', { name: 'Invite a person' }).waitFor()
    await open(tab, '/sites/demo')
    await tab.keyboard.type('settings git')
    await found(tab, 'Settings: Git').first().waitFor()
    await tab.keyboard.press('Enter')
    await tab.waitForURL(desk.at('/sites/demo/settings/git'))
    await tab.getByRole('heading', { name: 'Git', exact: true }).waitFor()
  })

  it('opens what is shown first for the newest words, not a page that older words found', async () => {
    const { tab } = desk
    await open(tab, '/sites/demo')
    await tab.keyboard.type('s')
    await found(tab, 'Our spring fair').waitFor()
    await tab.evaluate(TYPE_AND_ENTER)
    await tab.waitForURL(desk.at('/sites/demo/settings/git'))
  })

  it('shows first what was chosen last, which a closed search keeps', async () => {
    const tab = await desk.signIn()
    await open(tab, '/')
    await tab.keyboard.type('api keys')
    await found(tab, 'API keys').first().waitFor()
    await tab.keyboard.press('Enter')
    await tab.waitForURL(desk.at('/keys'))
    await open(tab, '/')
    const recent = tab.getByRole('group', { name: 'Recent' }).getByRole('option')
    await recent.first().waitFor()
    assert.match(await recent.first().innerText(), /API keys/)
    await tab.context().close()
  })

  it('lists nothing that a role forbids', async () => {
    const offers = async (role: Role, words: string, name: string | RegExp) => {
      const tab = await enter(role)
      await open(tab, '/sites/demo')
      await found(tab, 'All sites').waitFor()
      await tab.keyboard.type(words)
      await tab
        .getByRole('dialog')
        .getByText(/result|Nothing fits/)
        .waitFor({ state: 'attached' })
      const count = await found(tab, name).count()
      await tab.context().close()
      return count > 0
    }
    assert.equal(await offers('viewer', 'new page', /^New page/), false)
    assert.equal(await offers('editor', 'new page', /^New page/), true)
    assert.equal(await offers('editor', 'invite', 'Invite a person'), false)
    assert.equal(await offers('admin', 'invite', 'Invite a person'), true)
    assert.equal(await offers('editor', 'settings danger', /Danger/), false)
    assert.equal(await offers('editor', 'Ada', 'Ada'), false)
  })

  it('finds a person, and opens the role', async () => {
    const { tab } = desk
    await signInAs(desk.service, 'editor', { name: 'Zoë Müller' })
    await open(tab, '/sites/demo')
    await tab.keyboard.type('zoe muller')
    await found(tab, 'Zoë Müller').waitFor()
    await tab.keyboard.press('Enter')
    await tab.getByRole('dialog', { name: 'The role of Zoë Müller' }).waitFor()
    assert.equal(tab.url(), desk.at('/members'))
  })

  it('is opened by its button, passes axe with and without results, and fits a phone', async () => {
    for (const options of [
      { viewport: { width: 390, height: 844 }, hasTouch: true },
      { viewport: { width: 1280, height: 800 } },
    ]) {
      const tab = await desk.signIn(options)
      await tab.getByRole('button', { name: 'Search' }).click()
      await found(tab, 'All sites').waitFor()
      await tab.evaluate(AXE)
      assert.deepEqual(await tab.evaluate(FAULTS), [])
      assert.equal(await tab.evaluate('document.documentElement.scrollWidth'), options.viewport.width)
      await tab.keyboard.type('qqqq')
      await tab.getByText('Nothing fits these words.').waitFor()
      assert.deepEqual(await tab.evaluate(FAULTS), [])
      await tab.context().close()
    }
  })
})
