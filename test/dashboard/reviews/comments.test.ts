import assert from 'node:assert/strict'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from '../looks/axe.js'
import { LOOKS } from '../looks/looks.js'

describe('the dashboard: comments in a review', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  after(() => desk?.leave())

  for (const look of ['wide', 'phone', 'dark'] as const)
    it(`are written at a place, answered, resolved, and ask for changes: ${look}`, async () => {
      const path = `/talk-${look}`
      await desk.publish(path, '<p>Open from 9</p>')
      const api = desk.service.api()
      const html = '<p>Open from 10</p>'
      const made = await api.put(`/pages?path=${path}&changeRequest=new`).send({ html }).expect(200)
      const { changeRequest: id } = made.body as { changeRequest: string }
      await api.patch(`/change-requests/${id}`).send({ title: 'New hours', state: 'review' }).expect(200)
      const tab = await desk.signInAs('editor', 'Edith', LOOKS[look])
      await tab.goto(desk.at(`/sites/demo/reviews/${id}`))
      const box = tab.getByRole('region', { name: 'Comments' })
      await box.getByText('Nobody has commented yet.').waitFor()
      await box.getByLabel('About').selectOption(path)
      await box.getByLabel('Words that it is about').fill('Open from 10')
      await box.getByLabel('Your comment').fill('Until when?')
      await tab.keyboard.press('Tab')
      await tab.keyboard.press('Enter')
      const thread = box.getByRole('article', { name: 'Comment 1' })
      await thread.getByText('Until when?').waitFor()
      await thread.locator('q').getByText('Open from 10').waitFor()
      assert.deepEqual(await faultsIn(tab), [])
      assert.ok(!(await tab.evaluate('document.documentElement.scrollWidth > innerWidth')))
      await thread.getByRole('button', { name: 'Answer' }).click()
      await thread.getByLabel('Your answer').fill('Until 6.')
      await thread.getByRole('button', { name: 'Send the answer' }).click()
      await thread.getByText('Until 6.').waitFor()
      await thread.getByRole('button', { name: 'Resolve' }).click()
      await thread.getByText('resolved', { exact: true }).waitFor()
      await thread.getByRole('button', { name: 'Open it again' }).click()
      await thread.getByRole('button', { name: 'Resolve' }).waitFor()
      await box.getByLabel('Your comment').fill('Say until when.')
      await box.getByRole('button', { name: 'Ask for changes' }).click()
      await box.getByText('asks for changes', { exact: true }).waitFor()
      await tab.getByText('Draft', { exact: true }).waitFor()
      await api.put(`/pages?path=${path}&changeRequest=${id}`).send({ html: '<p>10 to 6</p>' }).expect(200)
      await tab.reload()
      await thread.getByText('on an older text').first().waitFor()
      const { body } = await api.get(`/change-requests/${id}`).expect(200)
      assert.equal((body as { data: { changesAsked: boolean } }).data.changesAsked, true)
      await tab.context().close()
    })
})
