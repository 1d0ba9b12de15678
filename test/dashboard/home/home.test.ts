import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import type { Role } from '../../../src/model/rights/roles.js'
import { signInAs } from '../../support/people/sign-in-as.js'
import { type Desk, PHONE, sitDown } from '../desk.js'
import { makeSites } from '../make-site.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** The most frames that are open at once. */
const MAX_FRAMES = 12
/** From so many sites on they are a list. */
const LIST_FROM = 24

/** Each test goes on with the sites of the one before it. */
describe('the dashboard: the home', function () {
  this.timeout(120_000)
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const faults = async (tab: Page) => {
    await tab.evaluate(AXE)
    return await tab.evaluate<string[]>(
      `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html))`,
    )
  }
  const enter = async (role: Role) => {
    const { cookie } = await signInAs(desk.service, role, { name: `Home ${role}` })
    const context = await desk.newContext(PHONE)
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value, url: desk.at('/') }])
    return await context.newPage()
  }
  const card = (name: string) => desk.tab.getByRole('listitem').filter({ hasText: name })
  const steps = (tab: Page) => tab.getByRole('region', { name: 'First steps' })
  /** Publishes a start page and another page in each site that has none. */
  const fill = async () => {
    const api = desk.service.api()
    const { body } = await api.get('/sites').expect(200)
    for (const { id } of (body as { data: { id: string }[] }).data)
      for (const path of ['/', '/spring-fair'])
        await api
          .put(`/pages?path=${path}`)
          .set('x-service-site-id', id)
          .send({ html: path === '/' ? '<h1>Start</h1><script>x</script>' : '<title>Spring fair</title>' })
  }

  it('says what to do first while a site has no page but its start page', async () => {
    await desk.tab.goto(desk.at('/'))
    for (const step of ['Write a page', 'Drop a folder or zip', 'Connect an agent'])
      await steps(desk.tab).getByRole('heading', { name: step }).waitFor()
    assert.deepEqual(await faults(desk.tab), [])
    await steps(desk.tab).getByRole('link', { name: 'Connect an agent' }).click()
    await desk.tab.waitForURL(desk.at('/agents'))
    await desk.tab.goBack()
    await desk.button('Write a page').click()
    await desk.tab.waitForURL(desk.at('/sites/demo/new'))
  })

  it('offers each role what it may do', async () => {
    const viewer = await enter('viewer')
    await viewer.goto(desk.at('/'))
    await steps(viewer).getByRole('link', { name: 'Connect an agent' }).waitFor()
    assert.equal(await viewer.getByRole('button', { name: /Write|Choose|New site/ }).count(), 0)
    await viewer.context().close()
    const editor = await enter('editor')
    await editor.goto(desk.at('/'))
    await steps(editor).getByRole('button', { name: 'Write a page' }).waitFor()
    assert.equal(await editor.getByRole('button', { name: 'New site' }).count(), 0)
    assert.equal(await editor.evaluate('document.documentElement.scrollWidth'), PHONE.viewport.width)
    await editor.context().close()
  })

  it('makes the address of a new site from its name, and offers another one where that is taken', async () => {
    await desk.tab.goto(desk.at('/'))
    await desk.button('New site').click()
    const address = desk.tab.getByLabel('Address')
    await desk.tab.getByRole('textbox', { name: 'Name', exact: true }).fill('Démo')
    assert.equal(await address.inputValue(), 'demo')
    await desk.button('Create the site').click()
    await desk.tab
      .getByRole('alert')
      .getByText(/in use/)
      .waitFor()
    await desk.button('Use demo-2').click()
    await address.fill('Chess Club')
    await desk.button('Use chess-club').click()
    assert.equal(await address.inputValue(), 'chess-club')
    assert.deepEqual(await faults(desk.tab), [])
    await desk.button('Create the site').click()
    await desk.tab.waitForURL(desk.at('/sites/chess-club'))
    await desk.tab.goto(desk.at('/'))
    await desk.tab.getByRole('link', { name: 'Démo', exact: true }).waitFor()
    assert.equal(await steps(desk.tab).count(), 0)
  })

  it('shows each site with a picture of its start page, its address, and who changed what', async () => {
    await fill()
    await desk.tab.goto(desk.at('/'))
    const chess = card('chess-club.localhost')
    await chess.getByText(/ changed Spring fair, just now$/).waitFor()
    const picture = chess.locator('iframe')
    await picture.contentFrame().getByRole('heading', { name: 'Start', includeHidden: true }).waitFor()
    assert.equal(await picture.getAttribute('sandbox'), '')
    assert.deepEqual(await faults(desk.tab), [])
    await desk.tab.getByRole('link', { name: 'Démo', exact: true }).focus()
    await desk.tab.keyboard.press('Tab')
    const focused = await desk.tab.evaluate<string>('document.activeElement.textContent')
    assert.match(focused, /^chess-club\.localhost/)
  })

  it('asks for the sites before it knows the person: two round trips show all', async () => {
    const asked: string[] = []
    desk.tab.on('request', (request) => asked.push(new URL(request.url()).pathname))
    let letGo: (() => void) | undefined
    const sitesAsked = new Promise<void>((known) => {
      letGo = known
    })
    await desk.tab.route('**/api/v1/sites?limit=1000', async (route) => {
      letGo?.()
      await route.continue()
    })
    await desk.tab.route('**/api/v1/me', async (route) => {
      await sitesAsked
      await route.continue()
    })
    await desk.tab.goto(desk.at('/'))
    await desk.tab
      .getByText(/ changed Spring fair, /)
      .first()
      .waitFor()
    assert.equal(asked.filter((path) => path === '/api/v1/sites').length, 2, 'the sites and the imports, once')
    await desk.tab.unrouteAll()
  })

  it('opens at most twelve pictures at once', async () => {
    await makeSites(MAX_FRAMES + 2, desk.service)
    await fill()
    const tab = await desk.signIn({ viewport: { width: 1280, height: 6000 } })
    await tab
      .getByText(/ changed /)
      .nth(MAX_FRAMES)
      .waitFor()
    await tab
      .locator('iframe')
      .nth(MAX_FRAMES - 1)
      .waitFor({ state: 'attached' })
    assert.equal(await tab.locator('iframe').count(), MAX_FRAMES)
    await tab.setViewportSize({ width: 1280, height: 500 })
    await tab.getByRole('listitem').last().scrollIntoViewIfNeeded()
    await tab.getByRole('listitem').last().locator('iframe').waitFor({ state: 'attached' })
    assert.equal(await tab.locator('iframe').count(), MAX_FRAMES)
    await tab.context().close()
  })

  it('lists many sites, and finds one by its name or address', async () => {
    await makeSites(LIST_FROM, desk.service)
    await desk.tab.goto(desk.at('/'))
    const search = desk.tab.getByLabel('Find a site')
    await search.waitFor()
    assert.equal(await desk.tab.locator('iframe').count(), 0)
    await desk.tab.keyboard.press('/')
    await desk.tab.keyboard.type('démo')
    await desk.tab.getByText('1 site', { exact: true }).waitFor()
    await search.fill('chess')
    await desk.tab.getByRole('link', { name: 'Démo' }).waitFor()
    assert.deepEqual(await faults(desk.tab), [])
    await search.fill('nothing like it')
    await desk.tab.getByRole('heading', { name: 'No site has this name or address' }).waitFor()
    await search.fill('demo')
    await desk.tab.getByRole('link', { name: /^demo/ }).click()
    await desk.tab.waitForURL(desk.at('/sites/demo'))
  })

  it('says on a page of its own that there is nothing at an address', async () => {
    for (const path of ['/nothing', '/sites', '/sites/demo/nothing', '/sites/gone']) {
      await desk.tab.goto(desk.at(path))
      await desk.tab.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor()
      await desk.tab.waitForLoadState('networkidle')
      assert.deepEqual(await faults(desk.tab), [], path)
    }
  })
})
