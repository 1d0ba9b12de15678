import assert from 'node:assert/strict'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from '../looks/axe.js'
import { LOOKS, optionsOf } from '../looks/looks.js'

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

  describe('where another person approves each change', () => {
    const protect = async (protection: 'all' | 'none') => {
      const { catalog } = desk.service.server.service.services
      await catalog.sites.protect(desk.service.site.id, { protection, approvers: 'editor' }, [])
    }
    afterEach(() => protect('none'))

    for (const look of ['wide', 'phone', 'dark'] as const)
      it(`is wished with the review, and set by whoever approves: ${look}`, async () => {
        const page = await desk.publish(`/planned-${look}`, '<p>before</p>')
        await protect('all')
        const writer = await desk.signInAs('editor', 'Wilma', optionsOf(look))
        await writer.goto(desk.at(`/sites/demo/pages/${page}`))
        await writer.getByRole('textbox', { name: 'HTML' }).click()
        await writer.keyboard.press('Control+End')
        await writer.keyboard.insertText('<p>more</p>')
        await writer.getByRole('button', { name: 'Ask for review…' }).click()
        await writer.getByRole('button', { name: 'Publish at…' }).click()
        const box = writer.getByRole('dialog', { name: 'Publish at a time' })
        await box.getByText('another person looks at it first').waitFor()
        await box.getByText(/^By the clock of .* You wish/).waitFor()
        assert.deepEqual(await faultsIn(writer), [])
        if (process.env['PICTURES']) await writer.screenshot({ path: `${process.env['PICTURES']}/wish-${look}.png` })
        await box.getByRole('button', { name: 'Ask for review' }).click()
        await writer.getByText('Waits for review').waitFor()
        const other = await desk.signInAs('editor', 'Otto', optionsOf(look))
        await other.goto(desk.at(`/sites/demo/pages/${page}`))
        await other.getByRole('link', { name: 'Review it' }).click()
        await other.getByText('Please publish it on').waitFor()
        await other.getByRole('link', { name: `Edit /planned-${look}` }).click()
        await other.getByRole('button', { name: 'Approve and publish…' }).click()
        await other.getByRole('button', { name: 'Approve, publish at…' }).click()
        await other.getByRole('button', { name: 'Approve and set the time' }).click()
        await other.getByRole('region', { name: 'Time of publishing' }).getByText('Published on').waitFor()
        assert.deepEqual(await faultsIn(other), [])
        assert.equal(await desk.live(`/planned-${look}`), '<p>before</p>')
        for (const tab of [writer, other]) await tab.context().close()
      })

    it('is set by its author once another person has approved it, and the review says so before', async () => {
      const page = await desk.publish('/approved', '<p>before</p>')
      await protect('all')
      const grace = await signInAs(desk.service, 'editor', { name: 'Grace' })
      const otto = await signInAs(desk.service, 'editor', { name: 'Otto' })
      const made = await grace.send('put', `/pages/${page}/content?changeRequest=draft`).send({ html: '<p>after</p>' })
      const { changeRequest } = made.body as { changeRequest: string }
      await grace.send('patch', `/change-requests/${changeRequest}`).send({ state: 'review' }).expect(200)
      const tab = await desk.tabOf(grace)
      await tab.goto(desk.at(`/sites/demo/reviews/${changeRequest}`))
      await tab.getByText('Another person approves it first.').waitFor()
      assert.equal(await tab.getByRole('button', { name: 'Publish at…' }).count(), 0)
      const { body } = await grace.send('get', `/change-requests/${changeRequest}`).expect(200)
      const { head } = (body as { data: { head: string } }).data
      await otto.send('post', `/change-requests/${changeRequest}/approvals`).send({ commit: head }).expect(200)
      await tab.goto(desk.at(`/sites/demo/pages/${page}`))
      await tab.getByRole('button', { name: 'Publish…' }).click()
      await tab.getByRole('button', { name: 'Publish at…' }).click()
      await tab.getByRole('button', { name: 'Set the time' }).click()
      await tab.getByRole('region', { name: 'Time of publishing' }).getByText('Published on').waitFor()
      await tab.context().close()
    })
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
