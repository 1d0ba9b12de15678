import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Role } from '../../../src/model/rights/roles.js'
import { launchBrowser } from '../../support/browser.js'
import { type SignedIn, signInAgain, signInAs } from '../../support/people/sign-in-as.js'
import { until } from '../../support/within.js'
import { type Desk, sitDown } from '../desk.js'

describe('the dashboard: drafts', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const cookieOf = ({ cookie }: SignedIn) => {
    const [name = '', value = ''] = cookie.split('=')
    return [{ name, value, url: desk.at('/') }]
  }
  const enter = async (role: Role, name: string) => {
    const person = await signInAs(desk.service, role, { name })
    const context = await desk.newContext()
    await context.addCookies(cookieOf(person))
    return { person, tab: await context.newPage() }
  }
  const device = async ({ userId }: SignedIn) => {
    const context = await desk.newContext()
    await context.addCookies(cookieOf(await signInAgain(desk.service, userId)))
    return await context.newPage()
  }
  const textIn = (tab: Page) => tab.getByRole('textbox', { name: 'HTML' })
  const write = async (tab: Page, text: string) => {
    await textIn(tab).click()
    await tab.keyboard.press('Control+A')
    await tab.keyboard.insertText(text)
  }
  const open = async (tab: Page, page: string) => {
    await tab.goto(desk.at(`/sites/demo/pages/${page}`))
    await textIn(tab).waitFor()
  }
  const isSaved = (tab: Page) => tab.getByText('Saved', { exact: true }).waitFor()
  const draftsOf = async (page: string) => {
    const { body } = await desk.service.api().get(`/sites/${desk.service.site.id}/change-requests?page=${page}`)
    return body.data as { id: string; author: string }[]
  }
  const inService = async (page: string) => {
    const [draft] = await draftsOf(page)
    if (draft === undefined) return undefined
    const { body } = await desk.service.api().get(`/pages/${page}?changeRequest=${draft.id}`).expect(200)
    return body.data.html as string
  }

  it('go on at a second device, as one draft, and nobody else loses what is live', async () => {
    const page = await desk.publish('/two-devices', '<p>live</p>')
    const { person, tab } = await enter('editor', 'Dora')
    await open(tab, page)
    await write(tab, '<p>begun</p>')
    await isSaved(tab)
    const phone = await device(person)
    await open(phone, page)
    await textIn(phone).getByText('begun').waitFor()
    await write(phone, '<p>begun</p>\n<p>went on</p>')
    await phone.keyboard.press('Control+S')
    await phone.getByText('The draft is saved.').waitFor()
    await tab.reload()
    await textIn(tab).getByText('went on').waitFor()
    assert.equal((await draftsOf(page)).length, 1)
    assert.equal(await desk.live('/two-devices'), '<p>live</p>')
    for (const each of [tab, phone]) await each.context().close()
  })

  it('of somebody else are named to who opens the page, and can be written to', async () => {
    const page = await desk.publish('/somebody', '<p>live</p>')
    const { tab } = await enter('author', 'Frida')
    await open(tab, page)
    await write(tab, '<p>of Frida</p>')
    await isSaved(tab)
    const { tab: other } = await enter('editor', 'Olaf')
    await open(other, page)
    await other.getByText('Frida has a draft of this page').waitFor()
    await textIn(other).getByText('live').waitFor()
    await other.getByRole('link', { name: 'Look at it' }).click()
    await other.getByText('This is the draft of Frida').waitFor()
    await textIn(other).getByText('of Frida').waitFor()
    await write(other, '<p>of both</p>')
    await isSaved(other)
    assert.equal(await inService(page), '<p>of both</p>')
    const { tab: author } = await enter('author', 'Nora')
    await open(author, page)
    await author.getByText('As published').waitFor()
    assert.equal(await author.getByText('has a draft').count(), 0)
    for (const each of [tab, other, author]) await each.context().close()
  })

  it('are saved when the person goes to another screen, or closes the tab', async () => {
    const page = await desk.publish('/left', '<p>live</p>')
    const { person, tab } = await enter('editor', 'Lena')
    await open(tab, page)
    await write(tab, '<p>first</p>')
    await isSaved(tab)
    // The next save by itself is ten seconds away.
    await tab.keyboard.insertText('<p>and on</p>')
    await tab.getByRole('link', { name: 'Pages' }).click()
    await until(
      () => inService(page),
      (text) => text === '<p>first</p><p>and on</p>',
    )
    const second = await device(person)
    await open(second, page)
    await write(second, '<p>closed</p>')
    await second.close({ runBeforeUnload: true })
    await until(
      () => inService(page),
      (text) => text === '<p>closed</p>',
    )
    await tab.context().close()
  })

  it('survive a browser that is killed', async () => {
    const page = await desk.publish('/killed', '<p>live</p>')
    const { person, tab } = await enter('editor', 'Kim')
    await tab.context().close()
    const browser = await launchBrowser()
    const context = await browser.newContext()
    await context.addCookies(cookieOf(await signInAgain(desk.service, person.userId)))
    const doomed = await context.newPage()
    await open(doomed, page)
    await write(doomed, '<p>not lost</p>')
    await isSaved(doomed)
    const session = await browser.newBrowserCDPSession()
    await session.send('Browser.crash').catch(() => undefined)
    await browser.close().catch(() => undefined)
    const next = await device(person)
    await open(next, page)
    await textIn(next).getByText('not lost').waitFor()
    await next.context().close()
  })

  it('keep in the browser what the service cannot take, and save it when it is back', async () => {
    const page = await desk.publish('/offline', '<p>live</p>')
    const { tab } = await enter('editor', 'Olga')
    await open(tab, page)
    await tab.context().setOffline(true)
    await write(tab, '<p>written offline</p>')
    await tab.getByText('Not saved; kept in this browser').waitFor()
    await tab.context().setOffline(false)
    await isSaved(tab)
    assert.equal(await inService(page), '<p>written offline</p>')
    assert.equal(await tab.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft ')).length"), 0)
    await tab.context().close()
  })

  it('tell a person whose role ended during a save, and keep the text', async () => {
    const page = await desk.publish('/role', '<p>live</p>')
    const { person, tab } = await enter('editor', 'Rolf')
    await open(tab, page)
    await write(tab, '<p>first</p>')
    await isSaved(tab)
    const { catalog } = desk.service.server.service.services
    const { workspaceId } = desk.service
    await catalog.members.give({ workspaceId, userId: person.userId, role: 'viewer', sites: null, source: 'hand' })
    await write(tab, '<p>second</p>')
    await tab.keyboard.press('Control+S')
    await tab.locator('.notices').getByText('Your role here is viewer').waitFor()
    await tab.getByText('Not saved; kept in this browser').waitFor()
    assert.equal(await inService(page), '<p>first</p>')
    await tab.reload()
    await textIn(tab).getByText('second').waitFor()
    await tab.context().close()
  })

  it('that another person published meanwhile are said to be over, and the text stays', async () => {
    const page = await desk.publish('/over', '<p>live</p>')
    const { tab } = await enter('author', 'Anna')
    await open(tab, page)
    await write(tab, '<p>of Anna</p>')
    await isSaved(tab)
    const [draft] = await draftsOf(page)
    await desk.service.api().post(`/change-requests/${draft?.id}/publish`).send({}).expect(200)
    await write(tab, '<p>of Anna, and more</p>')
    await tab.keyboard.press('Control+S')
    await tab.locator('.notices').getByText('is closed or published').waitFor()
    await tab.reload()
    await textIn(tab).getByText('and more').waitFor()
    await tab.context().close()
  })
})
