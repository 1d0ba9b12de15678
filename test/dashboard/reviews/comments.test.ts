import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from '../looks/axe.js'
import { LOOKS } from '../looks/looks.js'

const HOURS = '<title>Hours</title><h1>Our shop</h1><p>Come in</p><h2>In summer</h2><p>Open from 10</p>'

describe('the dashboard: comments in a review', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const api = () => desk.service.api()
  /** Proposes new hours at a path, under review. */
  const propose = async (path: string): Promise<string> => {
    await desk.publish(path, HOURS.replace('10', '9'))
    const made = await api().put(`/pages?path=${path}&changeRequest=new`).send({ html: HOURS }).expect(200)
    const { changeRequest } = made.body as { changeRequest: string }
    await api().patch(`/change-requests/${changeRequest}`).send({ title: 'New hours', state: 'review' }).expect(200)
    return changeRequest
  }
  const say = async (request: string, comment: object) =>
    await api().post(`/change-requests/${request}/comments`).send(comment).expect(201)
  const rewrite = async (request: string, path: string, html: string) =>
    await api().put(`/pages?path=${path}&changeRequest=${request}`).send({ html }).expect(200)
  const open = async (request: string, options: BrowserContextOptions = {}) => {
    const tab = await desk.signInAs('editor', 'Edith', options)
    tab.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) desk.complaints.push(message.text())
    })
    await tab.goto(desk.at(`/sites/demo/reviews/${request}`))
    await tab.getByRole('heading', { name: 'Comments on the whole change' }).waitFor()
    return tab
  }
  const on = (tab: Page, path: string) => tab.getByRole('region', { name: `Comments on ${path}` })
  const comment = (tab: Page, number: number) => tab.getByRole('article', { name: `Comment ${number}` })

  for (const look of ['wide', 'phone', 'dark'] as const)
    it(`are written beside the page, answered, resolved, and ask for changes: ${look}`, async () => {
      const path = `/talk-${look}`
      const id = await propose(path)
      const tab = await open(id, LOOKS[look])
      const box = tab.getByRole('region', { name: 'Comments', exact: true })
      await box.getByText('Nobody has commented yet.').waitFor()
      await on(tab, path)
        .getByRole('button', { name: `Comment on ${path}` })
        .click()
      await tab.keyboard.type('Open from 10')
      await tab.keyboard.press('Tab')
      await tab.keyboard.type('Until when?')
      await tab.keyboard.press('Tab')
      await tab.keyboard.press('Enter')
      const thread = on(tab, path).getByRole('article', { name: 'Comment 1' })
      await thread.getByText('Until when?').waitFor()
      await thread.locator('q').getByText('Open from 10').waitFor()
      await thread.getByText('Under In summer').waitFor()
      const after = tab.frameLocator(`iframe[title="${path} with this change"]`)
      await after.locator('mark[title="Comment 1"]').first().waitFor()
      assert.equal((await after.locator('mark').allTextContents()).join(''), 'Open from 10')
      assert.deepEqual(await faultsIn(tab), [])
      assert.ok(!(await tab.evaluate('document.documentElement.scrollWidth > innerWidth')))
      if (process.env['PICTURES'])
        await tab.screenshot({ path: `${process.env['PICTURES']}/comments-${look}.png`, fullPage: true })
      await thread.getByRole('button', { name: 'Answer' }).click()
      await thread.getByLabel('Your answer').fill('Until 6.')
      await thread.getByRole('button', { name: 'Send the answer' }).click()
      await thread.getByText('Until 6.').waitFor()
      await thread.getByRole('button', { name: 'Resolve' }).click()
      await thread.getByText('resolved', { exact: true }).waitFor()
      assert.equal(await thread.getByText('Until 6.').isVisible(), false)
      assert.equal(await tab.evaluate('document.activeElement.tagName'), 'SUMMARY')
      await tab.keyboard.press('Enter')
      await thread.getByText('Until 6.').waitFor()
      assert.deepEqual(await faultsIn(tab), [])
      await thread.getByRole('button', { name: 'Open it again' }).click()
      await thread.getByRole('button', { name: 'Resolve' }).waitFor()
      await box.getByLabel('Your comment').fill('Say until when.')
      await box.getByRole('button', { name: 'Ask for changes' }).click()
      await box.getByText('asks for changes', { exact: true }).waitFor()
      await tab.getByText('Draft', { exact: true }).waitFor()
      await rewrite(id, path, '<p>10 to 6</p>')
      await tab.reload()
      await thread.getByText('on an older text').first().waitFor()
      await thread.getByText('The page has not these words now.').waitFor()
      const { body } = await api().get(`/change-requests/${id}`).expect(200)
      assert.equal((body as { data: { changesAsked: boolean } }).data.changesAsked, true)
      await tab.context().close()
    })

  it('stand in the order of the page, each under its heading, and the title of a folded page counts them', async () => {
    const id = await propose('/order')
    await say(id, { text: 'Last', path: '/order', quote: { exact: 'Open   from 10' } })
    await say(id, { text: 'First', path: '/order', quote: { exact: 'Come in' } })
    await say(id, { text: 'Gone', path: '/order', quote: { exact: 'Closed' } })
    await say(id, { text: 'All of the page', path: '/order' })
    await say(id, { text: 'All of it' })
    const tab = await open(id)
    await on(tab, '/order').getByText('All of the page').waitFor()
    const said = async () => await on(tab, '/order').locator('.words').allInnerTexts()
    assert.deepEqual(await said(), ['All of the page', 'First', 'Last', 'Gone'])
    await comment(tab, 2).getByText('Under Our shop').waitFor()
    await comment(tab, 1).getByText('Under In summer').waitFor()
    await comment(tab, 3).getByText('The page has not these words now.').waitFor()
    await tab.getByText('4 open comments').waitFor()
    const below = tab.getByRole('region', { name: 'Comments', exact: true })
    assert.deepEqual(await below.locator('.words').allInnerTexts(), ['All of it'])
    await tab.context().close()
  })

  it('are changed by whoever wrote them, and say so', async () => {
    const id = await propose('/mine')
    await say(id, { text: 'Of a program', path: '/mine' })
    const tab = await open(id)
    const box = tab.getByRole('region', { name: 'Comments', exact: true })
    await box.getByLabel('Your comment').fill('Fien')
    await box.getByRole('button', { name: 'Send the comment' }).click()
    await comment(tab, 2).getByRole('button', { name: 'Change comment 2' }).click()
    await comment(tab, 2).getByLabel('Your comment').fill('Fine')
    assert.deepEqual(await faultsIn(tab), [])
    await comment(tab, 2).getByRole('button', { name: 'Save' }).click()
    await comment(tab, 2).getByText('Fine', { exact: true }).waitFor()
    await comment(tab, 2).getByText('changed since').waitFor()
    assert.equal(
      await comment(tab, 1)
        .getByRole('button', { name: /^Change/ })
        .count(),
      0,
    )
    await tab.context().close()
  })

  it('stand beside a changed file too', async () => {
    const id = await propose('/with-file')
    const text = (path: string) => api().put(`/files?path=${path}&changeRequest=${id}`).type('text/plain')
    await text('/notes.txt').send('notes').expect(201)
    await say(id, { text: 'Which notes?', path: 'notes.txt' })
    const tab = await open(id)
    const files = tab.getByRole('region', { name: 'Files' })
    await files.getByText('1 open comment').waitFor()
    await files.getByText('notes.txt', { exact: true }).click()
    await on(tab, 'notes.txt').getByText('Which notes?').waitFor()
    await tab.context().close()
  })
})
