import assert from 'node:assert/strict'
import { git } from '../../support/git.js'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from '../looks/axe.js'
import { makeSite } from '../make-site.js'

describe('the dashboard: the past of a site', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
    await desk.publish('/', '<h1>Winter</h1><a href="/fair">Fair</a>')
    await desk.publish('/fair', '<h1>Old fair</h1>')
    await desk.publish('/docs/one', '<h1>One</h1>')
    await desk.publish('/', '<h1>Spring</h1>')
    await desk.publish('/fair', '<h1>New fair</h1>')
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const slider = (tab = desk.tab) => tab.getByRole('slider', { name: 'Change of the site' })
  const picture = (tab = desk.tab) => tab.frameLocator('iframe[title="Preview"]')
  const differences = () => desk.tab.getByRole('region', { name: 'What differs from now' })
  const commits = () => git(desk.service.gitdir(), 'rev-list', '--first-parent', 'main').split('\n')

  it('opens from the history, shows the site now, and goes back by the keys to what it was', async () => {
    await desk.tab.goto(desk.at('/sites/demo/history'))
    await desk.tab.getByRole('link', { name: 'Go back in time' }).click()
    await picture().getByRole('heading', { name: 'Spring' }).waitFor()
    assert.equal(await slider().inputValue(), String(commits().length))
    await slider().focus()
    await desk.tab.keyboard.press('ArrowLeft')
    await desk.tab.keyboard.press('ArrowLeft')
    await desk.tab.getByText('Test key published /docs/one').waitFor()
    await picture().getByRole('heading', { name: 'Winter' }).waitFor()
    await differences().getByText('2 files differ from now.').waitFor()
    assert.match(
      (await slider().getAttribute('aria-valuetext')) ?? '',
      /Test key published \/docs\/one, change \d of \d/,
    )
    await desk.tab.keyboard.press('PageDown')
    assert.equal(await slider().inputValue(), '1')
    await desk.tab.keyboard.press('PageUp')
    assert.equal(await slider().inputValue(), String(commits().length))
  })

  it('says so where the site has no start page', async () => {
    const slug = await makeSite(desk.service)
    await desk.tab.goto(desk.at(`/sites/${slug}/history/past`))
    await picture().getByRole('heading', { name: 'Not Found' }).waitFor()
  })

  it('asks the service once for a drag that comes to rest', async () => {
    await desk.tab.goto(desk.at('/sites/demo/history/past'))
    const asked: string[] = []
    desk.tab.on('request', (request) => {
      if (request.method() === 'POST') asked.push(request.url())
    })
    await slider().focus()
    for (let step = 0; step < 3; step++) await desk.tab.keyboard.press('ArrowLeft')
    await differences().getByText('3 files differ from now.').waitFor()
    assert.equal(asked.length, 1, asked.join('\n'))
  })

  it('opens at a commit, shows a page of it, brings that page back, and takes that back with one Undo', async () => {
    const [, , , then = ''] = commits()
    await desk.tab.goto(desk.at(`/sites/demo/history/past?at=${then.slice(0, 10)}`))
    await differences().getByRole('button', { name: '/fair', exact: true }).click()
    await picture().getByRole('heading', { name: 'Old fair' }).waitFor()
    await desk.button('Restore /fair').click()
    await desk.said('/fair is as it was then.')
    assert.equal(await desk.live('/fair'), '<h1>Old fair</h1>')
    assert.equal(await desk.live('/'), '<h1>Spring</h1>')
    await desk.undo()
    await desk.said('It is as it was before.')
    assert.equal(await desk.live('/fair'), '<h1>New fair</h1>')
  })

  it('brings a folder back, and the whole site after a second click', async () => {
    const first = commits().at(-3) ?? ''
    await desk.tab.goto(desk.at(`/sites/demo/history/past?at=${first.slice(0, 10)}`))
    await desk.button('Restore the folder /docs/').click()
    await desk.said('/docs/ is as it was then.')
    assert.equal((await desk.service.visit('/docs/one')).status, 404)
    await desk.tab.goto(desk.at(`/sites/demo/history/past?at=${first.slice(0, 10)}`))
    await desk.button('Restore all').click()
    await desk.button('Restore the whole site as it was then').click()
    await desk.said('The site is as it was then.')
    assert.equal(await desk.live('/'), '<h1>Winter</h1><a href="/fair">Fair</a>')
    await desk.tab.goto(desk.at('/sites/demo/history'))
    await desk.tab.getByText('Ada took the site back to how it was').waitFor()
  })

  it('has no faults for axe, wide, on a phone and in the dark', async () => {
    const [, , then = ''] = commits()
    for (const options of [
      { viewport: { width: 1280, height: 800 } },
      { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const },
    ]) {
      const tab = await desk.signIn(options)
      await tab.goto(desk.at(`/sites/demo/history/past?at=${then.slice(0, 10)}`))
      await tab.getByRole('button', { name: 'Restore all' }).waitFor()
      assert.deepEqual(await faultsIn(tab), [])
      const wide = await tab.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      assert.ok(wide <= 0, `${wide} pixels too wide`)
      const pictures = process.env['PAST_PICTURES']
      if (pictures !== undefined)
        await tab.screenshot({ path: `${pictures}-${options.viewport.width}.png`, fullPage: true })
      await tab.context().close()
    }
  })
})
