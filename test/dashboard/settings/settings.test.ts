import assert from 'node:assert/strict'
import type { SiteData } from '../../../schemas/sites.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, PHONE, sitDown } from '../desk.js'
import { makeSite } from '../make-site.js'

describe('the settings in parts', () => {
  let desk: Desk
  let slug: string

  before(async function () {
    desk = await sitDown(this)
    slug = await makeSite(desk.service)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const site = async (): Promise<SiteData> =>
    ((await desk.service.api().get(`/sites?slug=${slug}`)).body as { data: [SiteData] }).data[0]

  it('have an address each, are reached by keyboard, and keep the place of Back', async () => {
    const { tab } = desk
    await tab.goto(desk.at(`/sites/${slug}/settings`))
    await tab.getByRole('heading', { name: 'General' }).waitFor()
    await tab.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'General' }).focus()
    for (const name of ['Visitors', 'Protection', 'People', 'Git']) {
      await tab.keyboard.press('Tab')
      assert.equal((await tab.evaluate<string>('document.activeElement.textContent')).trim(), name)
    }
    await tab.keyboard.press('Enter')
    await tab.waitForURL(desk.at(`/sites/${slug}/settings/git`))
    await tab.getByRole('heading', { name: 'Git', exact: true }).waitFor()
    const shown = tab.getByRole('navigation', { name: 'Settings' }).locator('[aria-current=page]')
    assert.equal(await shown.innerText(), 'Git')
    assert.match(await tab.title(), /^Git · Settings · /)
    await tab.goBack()
    await tab.getByRole('heading', { name: 'General' }).waitFor()
    await tab.goto(desk.at(`/sites/${slug}/settings/nonsense`))
    await tab.getByRole('heading', { name: 'There is no such part of the settings' }).waitFor()
  })

  it('give the site a name, which its head shows, and take it away', async () => {
    const { tab } = desk
    await tab.goto(desk.at(`/sites/${slug}/settings/general`))
    const name = tab.getByLabel('Name of the site')
    await name.fill('Chess Club')
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { name: 'Chess Club', level: 1 }).waitFor()
    assert.equal((await site()).name, 'Chess Club')
    await name.fill('')
    await tab.keyboard.press('Enter')
    await tab.getByRole('heading', { name: slug, level: 1 }).waitFor()
    assert.equal((await site()).name, null)
  })

  it('let an owner say that agents ask, who approves, and which key publishes all the same', async () => {
    const { tab, service } = desk
    const { key } = await service.mint({ label: 'build server', scopes: ['write'] })
    assert.ok(key)
    await tab.goto(desk.at(`/sites/${slug}/settings/protection`))
    await tab.getByText('Everybody who may publish does so at once').waitFor()
    await tab.getByLabel('All ask').check()
    await desk.button('Save the protection').click()
    await tab.getByRole('alert').getByText('fewer than two people could').waitFor()
    await tab.getByLabel('Agents ask').check()
    await tab.getByText('What keys and agents write waits until a person approves it.').waitFor()
    await tab.getByLabel('Approved by').selectOption({ label: 'admins and owners' })
    await tab.getByLabel('build server').first().check()
    await desk.button('Save the protection').click()
    await desk.said('The protection is saved.')
    assert.equal((await site()).protection, 'agents')
    await tab.reload()
    assert.ok(await tab.getByLabel('build server').first().isChecked())
    const editor = await signInAs(service, 'editor', { name: 'Eva' })
    const context = await desk.newContext()
    const [cookie = '', value = ''] = editor.cookie.split('=')
    await context.addCookies([{ name: cookie, value, url: desk.at('/') }])
    const theirs = await context.newPage()
    await theirs.goto(desk.at(`/sites/${slug}/settings/protection`))
    await theirs.getByText('What keys and agents write waits until a person approves it.').waitFor()
    assert.equal(await theirs.getByRole('button', { name: 'Save the protection' }).count(), 0)
    await context.close()
    await tab.getByLabel('All publish').check()
    await desk.button('Save the protection').click()
    await desk.said('The protection is saved.')
  })

  it('list the people who reach the site, each with a role', async () => {
    const { tab, service } = desk
    await signInAs(service, 'editor', { name: 'Only Here', sites: [(await site()).id] })
    await signInAs(service, 'viewer', { name: 'Elsewhere', sites: [service.site.id] })
    await tab.goto(desk.at(`/sites/${slug}/settings/people`))
    const row = tab.getByRole('row').filter({ hasText: 'Only Here' })
    await row.getByText('this site alone').waitFor()
    await row.getByText('publishes').waitFor()
    assert.equal(await tab.getByText('Elsewhere').count(), 0)
  })

  it('are a list on a phone, from which each part is opened and left', async () => {
    const tab = await desk.signIn(PHONE)
    await tab.goto(desk.at(`/sites/${slug}/settings`))
    const list = tab.getByRole('navigation', { name: 'Settings' })
    await list.getByRole('link', { name: 'Visitors' }).click()
    await tab.getByRole('heading', { name: 'Visitors' }).waitFor()
    assert.equal(await list.count(), 0)
    await tab.locator('.settings-part').getByRole('link', { name: 'Settings', exact: true }).click()
    await list.waitFor()
    assert.equal(await tab.getByRole('heading', { name: 'General' }).count(), 0)
    await tab.context().close()
  })
})
