import assert from 'node:assert/strict'
import { type Desk, sitDown } from '../desk.js'
import { makeSite } from '../make-site.js'

describe('the dashboard: a new page', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const title = () => desk.tab.getByLabel('Title')
  const begin = async (site = 'demo') => {
    await desk.tab.evaluate('localStorage.clear()')
    await desk.tab.goto(desk.at(`/sites/${site}/new`))
    await title().waitFor()
  }
  const status = async (path: string) => (await desk.service.visit(path)).status
  const address = (path: string) => desk.tab.locator('.address bdi').getByText(new RegExp(`:\\d+${path}$`))

  it('gets its address from its title, is not live before it is published, and is found as a draft', async () => {
    await begin()
    await title().fill("Our children's Spring fair!")
    await address('/our-childrens-spring-fair').waitFor()
    await desk.button('Create').click()
    await desk.editor().getByText('<h1>Our children').waitFor()
    await desk.tab.getByText('Draft', { exact: true }).waitFor()
    assert.equal(await status('/our-childrens-spring-fair'), 404)
    assert.ok(!(await desk.live('/sitemap.xml')).includes('spring-fair'))
    await desk.write('<title>Fair</title><h1>Come at ten</h1>')
    await desk.tab.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await status('/our-childrens-spring-fair'), 404)
    const other = await desk.signIn()
    await other.goto(desk.at('/sites/demo'))
    await other.getByText('1 draft', { exact: true }).click()
    await other.getByRole('link', { name: "Our children's Spring fair!" }).click()
    await other.getByRole('textbox', { name: 'HTML' }).getByText('Come at ten').waitFor()
    await other.context().close()
    await desk.publishDraft()
    await desk.said('Published.')
    await desk.tab.getByText('As published').waitFor()
    assert.equal(await desk.live('/our-childrens-spring-fair'), '<title>Fair</title><h1>Come at ten</h1>')
  })

  for (const [name, path] of [
    ['Über Äpfel & große Bäume', '/ueber-aepfel-grosse-baeume'],
    ['Crème brûlée à la carte', '/creme-brulee-a-la-carte'],
    ['Весенний праздник', '/vesenniy-prazdnik'],
    ['مهرجان الربيع', '/مهرجان-الربيع'],
    ['春のお祭り 2026', '/春のお祭り-2026'],
    ['हिन्दी दिवस', '/हिन्दी-दिवस'],
    ['…?!', '/page'],
  ] as const)
    it(`is proposed ${path} for “${name}”`, async () => {
      await begin()
      await title().fill(name)
      await address(path).waitFor()
    })

  it('gets the next free address, and leads to the page that has the wanted one', async () => {
    const id = await desk.publish('/taken', '<title>The first one</title>')
    await desk.publish('/taken-2', '<p>x</p>')
    await begin()
    await title().fill('Taken')
    await address('/taken-3').waitFor()
    await desk.button('Change').click()
    await desk.tab.getByLabel('Address').fill('/taken')
    await desk.tab.getByText('A page is there already').waitFor()
    await desk.button('Create').click()
    await desk.tab.getByRole('alert').waitFor()
    await desk.tab.getByRole('link', { name: 'The first one' }).click()
    await desk.tab.waitForURL(desk.at(`/sites/demo/pages/${id}`))
  })

  it('takes a typed address without what addresses cannot have, and keeps folders and endings', async () => {
    await begin()
    await desk.button('Change').click()
    await desk.tab.getByLabel('Address').fill('fairs/Spring Fair 2026!/notes.txt')
    await desk.tab.getByText('/fairs/Spring-Fair-2026/notes.txt').waitFor()
  })

  it('is the start page of a site without pages', async () => {
    const site = await makeSite(desk.service)
    await begin(site)
    await address('/').waitFor()
    await desk.button('Create').click()
    await desk.editor().waitFor()
    await desk.publishDraft()
    await desk.said('Published.')
    assert.equal((await desk.service.visit('/', site)).status, 200)
  })

  it('keeps title, address and start through a reload, and forgets them when they are discarded', async () => {
    await begin()
    await title().fill('Kept')
    await desk.button('Change').click()
    await desk.tab.getByLabel('Address').fill('/kept-here')
    await desk.tab.getByLabel('Landing page').check()
    await desk.tab.reload()
    assert.equal(await title().inputValue(), 'Kept')
    assert.equal(await desk.tab.getByLabel('Address').inputValue(), '/kept-here')
    assert.ok(await desk.tab.getByLabel('Landing page').isChecked())
    await desk.button('Discard').click()
    await desk.said('The draft is discarded.')
    await desk.undo()
    assert.equal(await title().inputValue(), 'Kept')
    await desk.button('Discard').click()
    assert.equal(await title().inputValue(), '')
  })

  it('begins with the HTML that an earlier version of the dashboard kept', async () => {
    const { body } = await desk.service.api().get('/sites?slug=demo').expect(200)
    const [{ id }] = (body as { data: [{ id: string }] }).data
    await desk.tab.evaluate(
      `localStorage.setItem('draft new ${id}', JSON.stringify({ html: '<p>From before</p>', etag: null }))`,
    )
    await desk.tab.goto(desk.at('/sites/demo/new'))
    await title().fill('Older')
    assert.ok(await desk.tab.getByLabel('My own HTML').isChecked())
    await desk.button('Create').click()
    await desk.editor().getByText('From before').waitFor()
  })

  it('is deleted as a draft, and comes back on Undo', async () => {
    await begin()
    await title().fill('Given up')
    await desk.button('Create').click()
    await desk.editor().waitFor()
    await desk.choose('More about this page', 'Delete the draft')
    await desk.said('The draft is deleted.')
    await desk.undo()
    await desk.editor().getByText('Given up').first().waitFor()
  })

  it('is shown to a guest without an account by a link of the same dialog as in a review', async () => {
    await begin()
    await title().fill('Shared early')
    await desk.button('Create').click()
    await desk.write('<h1>For your eyes</h1>')
    await desk.choose('More about this page', 'Invite a guest')
    const box = desk.dialog('Invite a guest')
    await desk.button('Make a link', box).click()
    const { hash } = new URL(await box.getByRole('region', { name: 'Review link' }).innerText())
    const guest = await (await desk.newContext()).newPage()
    await guest.goto(desk.at(`/review${hash}`))
    const opened = guest.context().waitForEvent('page')
    await guest.getByRole('link', { name: 'Open in a tab: /shared-early' }).click()
    await (await opened).getByRole('heading', { name: 'For your eyes' }).waitFor()
    await guest.context().close()
    assert.equal(await status('/shared-early'), 404)
  })
})
