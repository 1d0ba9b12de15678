import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import type { Role } from '../../../src/model/rights/roles.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, sitDown } from '../desk.js'

describe('the dashboard: proposals', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const enter = async (role: Role, name: string) => {
    const context = await desk.newContext()
    const { cookie } = await signInAs(desk.service, role, { name })
    const [key = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name: key, value, url: desk.at('/') }])
    return await context.newPage()
  }
  const write = async (tab: Page, text: string) => {
    await tab.getByRole('textbox', { name: 'HTML' }).click()
    await tab.keyboard.press('Control+A')
    await tab.keyboard.insertText(text)
  }
  const act = async (tab: Page, name: string) => {
    await tab.getByRole('button', { name: `${name}…`, exact: true }).click()
    await tab.getByRole('dialog', { name }).getByRole('button', { name, exact: true }).click()
  }
  const menuOf = async (tab: Page) => {
    await tab.getByRole('button', { name: 'More about this page' }).click()
    return await tab.getByRole('menuitem').allInnerTexts()
  }

  it('come of an author, and are published by an editor', async () => {
    const id = await desk.publish('/proposed', '<p>before</p>')
    const author = await enter('author', 'Grace')
    await author.goto(desk.at(`/sites/demo/pages/${id}`))
    assert.deepEqual(await menuOf(author), ['Open the page'])
    await author.keyboard.press('Escape')
    await write(author, '<p>after</p>')
    await act(author, 'Propose')
    await author.getByText('Waits for approval').waitFor()
    assert.equal(await desk.live('/proposed'), '<p>before</p>')
    const editor = await enter('editor', 'Edith')
    await editor.goto(author.url())
    await act(editor, 'Publish')
    await editor.getByText(/proposed is live/).waitFor()
    assert.equal(await desk.live('/proposed'), '<p>after</p>')
    await author.context().close()
    await editor.context().close()
  })

  it('are how everybody publishes where another person approves', async () => {
    const id = await desk.publish('/protected', '<p>before</p>')
    const editor = await enter('editor', 'Bob')
    const other = await enter('editor', 'Carol')
    const { catalog } = desk.service.server.service.services
    await catalog.sites.protect(desk.service.site.id, { protection: 'all', approvers: 'editor' }, [])
    try {
      await editor.goto(desk.at(`/sites/demo/pages/${id}`))
      await write(editor, '<p>after</p>')
      await editor.getByRole('button', { name: 'Propose…' }).click()
      await editor.getByText('until another person who may publish here has approved it').waitFor()
      await editor.keyboard.press('Enter')
      await editor.getByText('Waits for approval').waitFor()
      assert.equal(await editor.getByRole('button', { name: /publish/i }).count(), 0)
      await other.goto(editor.url())
      await act(other, 'Approve and publish')
      await other.getByText(/protected is live/).waitFor()
      assert.equal(await desk.live('/protected'), '<p>after</p>')
    } finally {
      await catalog.sites.protect(desk.service.site.id, { protection: 'none', approvers: 'editor' }, [])
    }
    await editor.context().close()
    await other.context().close()
  })
})
