import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Role } from '../../../src/model/rights/roles.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, sitDown } from '../desk.js'

/** The actions of the screens, and who is offered them. The others do not see them. */
const READERS: readonly Role[] = ['viewer', 'author', 'editor', 'admin', 'owner']
const WRITERS: readonly Role[] = ['editor', 'admin', 'owner']
const TRIERS: readonly Role[] = ['author', ...WRITERS]
const ADMINS: readonly Role[] = ['admin', 'owner']

describe('the dashboard: what a role forbids', () => {
  let desk: Desk
  /** `menu` names the menu that holds the control. */
  let screens: [screen: string, path: string, control: string | RegExp, roles: readonly Role[], menu?: string][]

  before(async function () {
    desk = await sitDown(this)
    const page = await desk.publish('/page', '<h1>One</h1>')
    await desk.publish('/page', '<h1>Two</h1>')
    const api = desk.service.api()
    await api.put('/files?path=/style.css').type('text/css').send('h1 { color: teal }').expect(201)
    const made = await api.post('/collections').send({ name: 'books' }).expect(201)
    const { id: collection } = made.body.data as { id: string }
    const data = { title: 'Metamorphoses' }
    await api.post(`/collections/${collection}/records`).send({ data }).expect(201)
    const history = `/sites/demo/pages/${page}/history`
    screens = [
      ['sites', '/', 'New site', ADMINS],
      ['pages', '/sites/demo', 'New page', WRITERS],
      ['pages', '/sites/demo', 'HTML files', WRITERS],
      ['page', `/sites/demo/pages/${page}`, 'History of the page', READERS, 'More about this page'],
      ['page', `/sites/demo/pages/${page}`, 'Publish…', WRITERS],
      ['page', `/sites/demo/pages/${page}`, 'Ask for review…', ['author']],
      ['page', `/sites/demo/pages/${page}`, 'Title', WRITERS],
      ['page', `/sites/demo/pages/${page}`, 'More about this page', READERS],
      ['page', `/sites/demo/pages/${page}`, 'Insert an image', WRITERS],
      ['history', history, 'Go back to version 1…', WRITERS, 'More about version 1'],
      ['history', history, 'Open this version', TRIERS, 'More about version 1'],
      ['files', '/sites/demo/files', 'Redirects', READERS],
      ['files', '/sites/demo/files', 'Upload files', WRITERS],
      ['rules', '/sites/demo/files/_redirects', 'Publish', WRITERS],
      ['site history', '/sites/demo/history', 'Take this back…', WRITERS, 'More about “Publish /page”'],
      ['collections', '/sites/demo/collections', 'New collection', WRITERS],
      ['records', `/sites/demo/collections/${collection}`, 'New record', WRITERS],
      ['settings', '/sites/demo/settings/git', 'Make a key for a clone…', READERS],
      ['settings', '/sites/demo/settings/git', 'Mirror the site…', ADMINS],
      ['settings', '/sites/demo/settings', 'Name of the site', ADMINS],
      ['settings', '/sites/demo/settings', 'People', ADMINS],
      ['settings', '/sites/demo/settings', 'Danger', ADMINS],
      ['keys', '/keys', 'New key', READERS],
      ['nav', '/', 'Members', ADMINS],
    ]
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const enter = async (role: Role, sites: readonly string[] | null = null) => {
    const context = await desk.newContext()
    const { cookie } = await signInAs(desk.service, role, {
      name: `One ${role} ${sites === null ? '' : 'here'}`,
      sites,
    })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: desk.at('/') }])
    return await context.newPage()
  }
  const isOffered = async (tab: Page, control: string | RegExp, menu?: string) => {
    if (menu !== undefined) {
      await tab.getByRole('button', { name: menu, exact: true }).click()
      const count = await tab.getByRole('menuitem', { name: control, exact: true }).count()
      await tab.keyboard.press('Escape')
      return count > 0
    }
    const names = [
      tab.getByRole('button', { name: control, exact: true }),
      tab.getByRole('link', { name: control, exact: true }),
      tab.getByLabel(control, { exact: true }),
    ]
    const counts = await Promise.all(names.map((each) => each.count()))
    return counts.some((count) => count > 0)
  }

  for (const role of READERS)
    it(`is not offered to somebody who is ${role}, and all else is`, async () => {
      const tab = await enter(role)
      let shown = ''
      for (const [screen, path, control, roles, menu] of screens) {
        if (shown !== path) {
          await tab.goto(desk.at(path))
          await tab.waitForLoadState('networkidle')
        }
        shown = path
        assert.equal(await isOffered(tab, control, menu), roles.includes(role), `${screen}: ${String(control)}`)
        assert.equal(await tab.locator('.failure').count(), 0, `${screen}: a refusal`)
      }
      for (const [part, count] of [
        ['visitors', 4],
        ['git', 1],
      ] as const) {
        const boxes = await (await boxesOf(tab, part)).all()
        for (const box of boxes) assert.equal(await box.isEnabled(), ADMINS.includes(role))
        assert.equal(boxes.length, count)
      }
      await tab.goto(desk.at('/'))
      await tab.getByRole('heading', { name: 'Sites' }).waitFor()
      await tab.keyboard.press('n')
      assert.equal(await tab.getByRole('dialog').count(), ADMINS.includes(role) ? 1 : 0)
      await tab.context().close()
    })

  const boxesOf = async (tab: Page, part: string) => {
    await tab.goto(desk.at(`/sites/demo/settings/${part}`))
    await tab.waitForLoadState('networkidle')
    return tab.getByRole('checkbox')
  }

  it('is not offered to an admin of some sites: a site is made by an admin of all', async () => {
    const tab = await enter('admin', [desk.service.site.id])
    await tab.goto(desk.at('/'))
    await tab.getByRole('link', { name: 'demo', exact: true }).waitFor()
    assert.equal(await isOffered(tab, 'New site'), false)
    await tab.context().close()
  })

  it('is refused beside the button, not in the place of the hint of a field', async () => {
    const tab = await enter('admin')
    await tab.goto(desk.at('/'))
    await tab.getByRole('button', { name: 'New site' }).click()
    await tab.getByLabel('Address').fill('chess')
    const { catalog } = desk.service.server.service.services
    const { workspaceId } = desk.service
    for (const { userId, name } of await catalog.members.list(workspaceId))
      if (name.startsWith('One admin'))
        await catalog.members.give({ workspaceId, userId, role: 'editor', sites: null, source: 'hand' })
    await tab.getByRole('button', { name: 'Create the site' }).click()
    await tab.getByRole('alert').getByText('Your role here is editor').waitFor()
    assert.equal(await tab.getByLabel('Address').getAttribute('aria-invalid'), 'false')
    await tab.getByText('The first part of the address of the site').waitFor()
    assert.ok(await tab.getByRole('button', { name: 'Create the site' }).isEnabled())
    await tab.context().close()
  })
})
