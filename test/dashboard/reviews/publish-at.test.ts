import assert from 'node:assert/strict'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from '../looks/axe.js'
import { LOOKS } from '../looks/looks.js'

const ZURICH = { timezoneId: 'Europe/Zurich', locale: 'en-GB' }

describe('the dashboard: publishing at a time', () => {
  let desk: Desk
  let request: string

  before(async function () {
    desk = await sitDown(this)
  })
  after(() => desk?.leave())

  const api = () => desk.service.api()
  const propose = async (path: string, title: string) => {
    await desk.publish(path, '<p>before</p>')
    const made = await api().put(`/pages?path=${path}&changeRequest=new`).send({ html: '<p>after</p>' }).expect(200)
    request = (made.body as { changeRequest: string }).changeRequest
    await api().patch(`/change-requests/${request}`).send({ title, state: 'review' }).expect(200)
  }
  const read = async () => {
    const { body } = await api().get(`/change-requests/${request}`).expect(200)
    return (body as { data: { publishAt: string | null; heldReason: string | null } }).data
  }

  for (const look of ['wide', 'phone', 'dark'] as const)
    it(`takes a time in the person's zone, lists it by day, and takes it back: ${look}`, async () => {
      await propose(`/later-${look}`, `Later ${look}`)
      const tab = await desk.signInAs('editor', 'Edith', { ...LOOKS[look], ...ZURICH })
      await tab.goto(desk.at(`/sites/demo/reviews/${request}`))
      const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)
      await tab.getByRole('button', { name: 'Publish at…' }).focus()
      await tab.keyboard.press('Enter')
      const box = tab.getByRole('dialog', { name: 'Publish at a time' })
      await box.getByText('By the clock of Europe/Zurich').waitFor()
      await box.getByLabel('Day and time').fill(`${day}T09:00`)
      assert.deepEqual(await faultsIn(tab), [])
      await tab.keyboard.press('Enter')
      const note = tab.getByRole('region', { name: 'Time of publishing' })
      await note.getByText(/^Published on .* at 09:00/).waitFor()
      const { publishAt } = await read()
      const inZurich = new Date(publishAt ?? '').toLocaleString('sv-SE', { timeZone: 'Europe/Zurich' })
      assert.equal(inZurich, `${day} 09:00:00`)
      assert.deepEqual(await faultsIn(tab), [])
      assert.ok(!(await tab.evaluate('document.documentElement.scrollWidth > innerWidth')))
      await tab.goto(desk.at('/sites/demo/reviews?show=scheduled'))
      await tab.getByRole('link', { name: `Later ${look}` }).waitFor()
      assert.equal(await tab.locator('section.day').count(), 1)
      assert.deepEqual(await faultsIn(tab), [])
      await tab.getByRole('link', { name: `Later ${look}` }).click()
      await note.getByRole('button', { name: 'Take the time back' }).click()
      await tab.getByRole('button', { name: 'Publish at…' }).waitFor()
      assert.equal((await read()).publishAt, null)
      await tab.context().close()
    })

  it('takes a time in the editor, and says that a later change is not published then', async () => {
    const page = await desk.publish('/edited', '<p>before</p>')
    const tab = await desk.signInAs('editor', 'Edna')
    await tab.goto(desk.at(`/sites/demo/pages/${page}`))
    await tab.getByRole('textbox', { name: 'HTML' }).click()
    await tab.keyboard.press('Control+End')
    await tab.keyboard.insertText('<p>more</p>')
    await tab.getByRole('button', { name: 'Publish…' }).click()
    await tab.getByRole('button', { name: 'Publish at…' }).click()
    await tab.getByRole('button', { name: 'Set the time' }).click()
    await tab.getByRole('region', { name: 'Time of publishing' }).getByText('Published on').waitFor()
    assert.equal(await desk.live('/edited'), '<p>before</p>')
    assert.deepEqual(await faultsIn(tab), [])
    await tab.context().close()
  })

  it('says in words why it was not published at its time', async () => {
    await propose('/held', 'Held one')
    const { catalog } = desk.service.server.service.services
    const tab = await desk.signInAs('editor', 'Hedy')
    await tab.goto(desk.at(`/sites/demo/reviews/${request}`))
    await tab.getByRole('button', { name: 'Publish at…' }).click()
    await tab.getByRole('button', { name: 'Set the time' }).click()
    await tab.getByRole('region', { name: 'Time of publishing' }).waitFor()
    await catalog.schedules.holdAll({ code: 'restored', reason: 'The service came back from a backup.' })
    await tab.goto(desk.at('/sites/demo/reviews?show=scheduled'))
    await tab.getByText('The service came back from a backup.').first().waitFor()
    await tab.getByText('Held', { exact: true }).first().waitFor()
    await tab.getByRole('link', { name: 'Held one' }).click()
    await tab.getByText('It was not published on').waitFor()
    await tab.context().close()
  })
})
