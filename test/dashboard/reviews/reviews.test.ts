import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Role } from '../../../src/model/rights/roles.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from '../looks/axe.js'

describe('the dashboard: reviews', () => {
  let desk: Desk
  let agent: string

  before(async function () {
    desk = await sitDown(this)
    agent = (await desk.service.mint({ label: 'Writing agent', scopes: ['propose'] })).key
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const enter = async (role: Role, name: string, options: BrowserContextOptions = {}) => {
    const context = await desk.newContext(options)
    const { cookie } = await signInAs(desk.service, role, { name })
    const [key = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name: key, value, url: desk.at('/') }])
    return await context.newPage()
  }
  /** Proposes another text of a page, as an agent does. Returns the id of the change request. */
  const propose = async (page: string, html: string, title: string): Promise<string> => {
    const api = desk.service.api(agent)
    const made = await api.put(`/pages/${page}/content?changeRequest=new`).send({ html, reason: title }).expect(200)
    const { changeRequest } = made.body as { changeRequest: string }
    await api.patch(`/change-requests/${changeRequest}`).send({ state: 'review', title }).expect(200)
    return changeRequest
  }
  const press = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true }).click()
  const textIn = (tab: Page) => tab.getByRole('textbox', { name: 'HTML' })
  const open = async (tab: Page, request: string) => {
    await tab.goto(desk.at(`/sites/demo/reviews/${request}`))
    await tab.getByRole('heading', { name: 'Checks', exact: true }).waitFor()
  }

  it('go back to their author, are closed, and are opened again', async () => {
    const page = await desk.publish('/back', '<p>before</p>')
    const request = await propose(page, '<p>after</p>', 'Not yet')
    const tab = await enter('editor', 'Bea')
    await open(tab, request)
    await tab.getByLabel('Your comment').fill('Not this day.')
    await press(tab, 'Ask for changes')
    await tab.getByText('Draft', { exact: true }).waitFor()
    await press(tab, 'Close')
    await tab.getByText('Closed', { exact: true }).waitFor()
    await press(tab, 'Open it again')
    await tab.getByText('Draft', { exact: true }).waitFor()
    await tab.goto(desk.at('/sites/demo/reviews'))
    await tab.getByText('Nothing waits for you').waitFor()
    await tab.context().close()
  })

  it('say where the live site was changed too, and take either side', async () => {
    const page = await desk.publish('/both', '<p>one</p>')
    const request = await propose(page, '<p>two</p>', 'Two')
    await desk.publish('/both', '<p>three</p>')
    const tab = await enter('editor', 'Cora')
    await open(tab, request)
    await tab.getByRole('heading', { name: 'Changed on the live site too' }).waitFor()
    assert.equal(await tab.getByRole('button', { name: 'Publish', exact: true }).count(), 0)
    assert.deepEqual(await faultsIn(tab), [])
    await tab.getByRole('radio', { name: 'This change' }).check()
    await press(tab, 'Bring it up to date')
    await press(tab, 'Publish')
    await tab.getByText('Published', { exact: true }).waitFor()
    assert.equal(await desk.live('/both'), '<p>two</p>')
    await tab.context().close()
  })

  it('need another person where the site asks for that', async () => {
    const page = await desk.publish('/guarded', '<p>before</p>')
    const { catalog } = desk.service.server.service.services
    await catalog.sites.protect(desk.service.site.id, { protection: 'all', approvers: 'editor' }, [])
    try {
      const writer = await enter('editor', 'Wilma')
      await writer.goto(desk.at(`/sites/demo/pages/${page}`))
      await textIn(writer).click()
      await writer.keyboard.press('Control+A')
      await writer.keyboard.insertText('<p>after</p>')
      await writer.getByRole('button', { name: 'Ask for review…' }).click()
      await writer.keyboard.press('Enter')
      await writer.getByText('Waits for review').waitFor()
      await writer.goto(desk.at('/sites/demo/reviews?show=mine'))
      await writer.getByRole('link', { name: '/guarded' }).click()
      await writer.getByRole('button', { name: 'Back to draft' }).waitFor()
      for (const name of ['Publish', 'Approve']) assert.equal(await writer.getByRole('button', { name }).count(), 0)
      const other = await enter('editor', 'Otto')
      await other.goto(writer.url())
      await press(other, 'Approve')
      await press(other, 'Publish')
      await other.getByText('Published', { exact: true }).waitFor()
      assert.equal(await desk.live('/guarded'), '<p>after</p>')
      for (const tab of [writer, other]) await tab.context().close()
    } finally {
      await catalog.sites.protect(desk.service.site.id, { protection: 'none', approvers: 'editor' }, [])
    }
  })

  it('show files, records, what changes every page, and what the checks find', async () => {
    const page = await desk.publish('/parts', '<p>before</p>')
    const request = await propose(page, '<a href="/nowhere">x</a><img src="/x.png">', 'Parts')
    const api = desk.service.api(agent)
    await api
      .put(`/files?path=/_headers&changeRequest=${request}`)
      .type('text/plain')
      .send('/*\n  X-A: b\n')
      .expect(201)
    await api.put(`/files?path=/notes.txt&changeRequest=${request}`).type('text/plain').send('notes').expect(201)
    const tab = await enter('editor', 'Paula')
    await open(tab, request)
    await tab.getByRole('region', { name: 'Changes every page' }).getByText('_headers').click()
    await tab.getByRole('region', { name: 'Changed lines of _headers' }).getByText('X-A: b').waitFor()
    await tab.getByRole('region', { name: 'Files' }).getByText('notes.txt').waitFor()
    await tab.getByText('1 image without words').waitFor()
    await tab.frameLocator('iframe[title="/parts now"]').getByText('before').waitFor()
    await tab.frameLocator('iframe[title="/parts with this change"]').getByRole('link', { name: 'x' }).waitFor()
    await tab.getByText('Last written by Writing agent').waitFor()
    await tab.getByRole('list', { name: 'To look at' }).getByText('/nowhere').waitFor()
    const checks = tab.getByRole('region', { name: 'Checks' })
    await checks.getByText('The link to /nowhere leads nowhere. On /parts').waitFor()
    await tab.getByRole('radio', { name: 'Text' }).check()
    await tab.getByRole('region', { name: 'Changed lines of /parts' }).getByText('before').waitFor()
    assert.deepEqual(await faultsIn(tab), [])
    await tab.goto(desk.at('/reviews'))
    await tab.getByRole('link', { name: 'Parts' }).waitFor()
    await desk.service.api(agent).patch(`/change-requests/${request}`).send({ state: 'closed' }).expect(200)
    await tab.context().close()
  })

  it('lead to the start screen, where what others published is shown and undone', async () => {
    const page = await desk.publish('/news', '<p>old</p>')
    const tab = await enter('editor', 'Nell')
    await tab.goto(desk.at('/sites/demo'))
    // It is news only to a browser that saw the changes before it.
    await tab.getByText('the newest by').waitFor()
    await desk.publish('/news', '<p>wrong</p>')
    await tab.reload()
    const row = tab.getByRole('listitem').filter({ hasText: '/news' }).first()
    await row.locator('summary').first().click()
    await row.getByText('wrong').waitFor()
    await row.getByRole('button', { name: /^Undo/ }).click()
    await tab.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click()
    await tab.getByText('Taken back').waitFor()
    assert.equal(await desk.live('/news'), '<p>old</p>')
    assert.deepEqual(await faultsIn(tab), [])
    assert.ok(page)
    await tab.context().close()
  })
})
