import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Desk, sitDown } from './desk.js'

/** Longer than between the two clicks. */
const SLOW_MS = 400

describe('the dashboard: hasty hands and other people', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
    await desk.tab.route('**/api/v1/**', async (route) => {
      if (route.request().method() !== 'GET') await pause(SLOW_MS)
      await route.continue()
    })
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  it('makes one key of a double click, for the paths that were typed', async () => {
    const label = `hasty ${randomUUID()}`
    await desk.tab.goto(desk.at('/keys'))
    await desk.button('New key').click()
    await desk.tab.getByLabel('Label').fill(label)
    await desk.tab.getByText('Limits', { exact: true }).click()
    await desk.tab.getByLabel('Paths').fill('/blog/*, /news')
    await desk.button('Create the key').dblclick()
    await desk.tab.getByRole('dialog').getByText('shown only now').waitFor()
    const { body } = await desk.service
      .api((await desk.service.mint({ scopes: ['admin'] })).key)
      .get('/keys?limit=1000')
    const made = (body as { data: { label: string; paths: string[] }[] }).data.filter((key) => key.label === label)
    assert.deepEqual(
      made.map(({ paths }) => paths),
      [['/blog/*', '/news']],
    )
  })

  it('saves once if Ctrl + S is pressed twice, and does not name another author', async () => {
    const id = await desk.publish('/hasty', '<p>first</p>')
    await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
    await desk.write('<p>second</p>')
    await desk.tab.keyboard.press('Control+S')
    await desk.tab.keyboard.press('Control+S')
    await desk.said('The draft is saved.')
    await pause(2 * SLOW_MS)
    assert.equal(await desk.tab.getByRole('dialog').count(), 0)
    await desk.publishDraft()
    await desk.said('Published.')
    const versions = await desk.service.api().get(`/pages/${id}/versions`)
    assert.equal((versions.body.data as unknown[]).length, 2)
  })

  it('publishes the text of a page that another person unpublished meanwhile, as its next version', async () => {
    const id = await desk.publish('/taken-down', '<p>first</p>')
    await desk.tab.goto(desk.at(`/sites/demo/pages/${id}`))
    await desk.write('<p>worth keeping</p>')
    await desk.service.api().delete(`/pages/${id}`).expect(200)
    await desk.publishDraft()
    const dialog = desk.tab.getByRole('dialog', { name: 'Somebody else unpublished this page' })
    await dialog.waitFor()
    await desk.tab.reload()
    await desk.editor().getByText('worth keeping').waitFor()
    await desk.publishDraft()
    await desk.button('Publish mine', dialog).click()
    await desk.said('Published.')
    await desk.tab.getByText('As published').waitFor()
    assert.equal(await desk.live('/taken-down'), '<p>worth keeping</p>')
    assert.equal(await desk.publish('/taken-down', '<p>worth keeping</p>'), id)
  })

  it('opens an unpublished page from its list, and goes back to a version of it', async () => {
    const id = await desk.publish('/old-news', '<p>old news</p>')
    await desk.service.api().delete(`/pages/${id}`).expect(200)
    await desk.tab.goto(desk.at('/sites/demo?status=unpublished'))
    await desk.tab.getByRole('link', { name: /old-news/ }).click()
    await desk.tab.getByRole('heading', { name: '/old-news is unpublished' }).waitFor()
    await desk.tab.getByRole('main').getByRole('link', { name: 'History' }).last().click()
    await desk.button('More about version 1').click()
    await desk.tab.getByRole('menuitem', { name: 'Go back to version 1…' }).click()
    await desk.button('Go back', desk.tab.getByRole('dialog')).click()
    await desk.said('/old-news is as it was in version 1.')
    assert.equal(await desk.live('/old-news'), '<p>old news</p>')
  })
})
