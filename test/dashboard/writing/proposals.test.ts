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
  /** The address of the draft of a page, for others than its author. */
  const addressOf = async (page: string) => {
    const { body } = await desk.service.api().get(`/sites/${desk.service.site.id}/change-requests?page=${page}`)
    const [{ id }] = (body as { data: [{ id: string }] }).data
    return desk.at(`/sites/demo/pages/${page}?changeRequest=${id}`)
  }
  const menuOf = async (tab: Page) => {
    await tab.getByRole('button', { name: 'More about this page' }).click()
    return await tab.getByRole('menuitem').allInnerTexts()
  }

  it('come of an author, and are published by an editor', async () => {
    const id = await desk.publish('/proposed', '<p>before</p>')
    const author = await enter('author', 'Grace')
    await author.goto(desk.at(`/sites/demo/pages/${id}`))
    assert.deepEqual(await menuOf(author), ['Open the page', 'History of the page'])
    await author.keyboard.press('Escape')
    await write(author, '<p>after</p>')
    await act(author, 'Ask for review')
    await author.getByText('Waits for review').waitFor()
    assert.equal(await desk.live('/proposed'), '<p>before</p>')
    const editor = await enter('editor', 'Edith')
    await editor.goto(desk.at(`/sites/demo/pages/${id}`))
    await editor.getByText('Grace has a draft of this page').waitFor()
    await editor.goto(await addressOf(id))
    await act(editor, 'Publish')
    await editor.getByText('Published.').waitFor()
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
      await editor.getByRole('button', { name: 'Ask for review…' }).click()
      await editor.getByText('until a person who may publish here has looked at it').waitFor()
      await editor.keyboard.press('Enter')
      await editor.getByText('Waits for review').waitFor()
      assert.equal(await editor.getByRole('button', { name: /publish/i }).count(), 0)
      await other.goto(await addressOf(id))
      await act(other, 'Approve and publish')
      await other.getByText('Published.').waitFor()
      assert.equal(await desk.live('/protected'), '<p>after</p>')
    } finally {
      await catalog.sites.protect(desk.service.site.id, { protection: 'none', approvers: 'editor' }, [])
    }
    await editor.context().close()
    await other.context().close()
  })
})
