import assert from 'node:assert/strict'
import { type Desk, sitDown } from '../desk.js'
import { makeSite } from '../make-site.js'

describe('the list of pages: acts', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  const choose = async (page: string, item: string) => {
    await desk.tab.goto(desk.at('/sites/demo'))
    await desk.choose(`What to do with ${page}`, item)
  }

  it('shows the title first and the path below it, and the path alone for a page without a title', async () => {
    await desk.publish('/titled', '<title>Our fair</title><p>x</p>')
    await desk.publish('/bare', '<p>x</p>')
    await desk.tab.goto(desk.at('/sites/demo'))
    const row = desk.tab.getByRole('link', { name: 'Our fair' })
    await row.waitFor()
    assert.deepEqual(await row.locator('> *').allTextContents(), ['Our fair', '/titled'])
    const bare = desk.tab.getByRole('link', { name: '/bare' })
    assert.deepEqual(await bare.locator('> *').allTextContents(), ['/bare'])
  })

  it('renames a page, names the pages that link to it, and changes their links', async () => {
    await desk.publish('/old', '<title>Movable</title><p>x</p>')
    await desk.publish('/linker', '<title>Linker</title><a href="/old">there</a>')
    await choose('Movable', 'Rename or move…')
    await desk.tab.getByLabel('New address').fill('/new-place')
    await desk.button('Check the links').click()
    await desk.tab.getByLabel('Also change the links in 1 other page').waitFor()
    await desk.tab.getByText('Show them').click()
    await desk.tab.getByRole('dialog').getByText('/linker').waitFor()
    await desk.button('Move').click()
    await desk.said('Moved to /new-place.')
    assert.match(await desk.live('/linker'), /href="\/new-place"/)
    assert.equal((await desk.service.visit('/old')).status, 308)
    await desk.undo()
    await desk.said('It is as it was before.')
    assert.match(await desk.live('/linker'), /href="\/old"/)
  })

  it('unpublishes a page so that its address leads to another one, and takes that back', async () => {
    await desk.publish('/leaves', '<title>Leaves</title>')
    await choose('Leaves', 'Unpublish…')
    await desk.tab.getByLabel('Lead to another page or address…').check()
    await desk.tab.getByRole('dialog').getByLabel('Address', { exact: true }).fill('/linker')
    await desk.button('Unpublish').click()
    await desk.said('Unpublished “Leaves”.')
    assert.equal((await desk.service.visit('/leaves')).get('location'), '/linker')
    await desk.undo()
    await desk.said('It is as it was before.')
    assert.equal((await desk.service.visit('/leaves')).status, 200)
  })

  it('publishes a copy of a page at another address, and opens it', async () => {
    await desk.publish('/first', '<title>First</title><p>same</p>')
    await choose('First', 'Duplicate…')
    assert.equal(await desk.tab.getByRole('dialog').getByLabel('Address').inputValue(), '/first-copy')
    await desk.button('Publish the copy').click()
    await desk.tab.waitForURL(/\/pages\//)
    assert.match(await desk.live('/first-copy'), /same/)
  })

  it('moves several pages to a folder, and then unpublishes them as gone, in one change each', async () => {
    await desk.publish('/one', '<title>One of two</title>')
    await desk.publish('/two', '<title>Two of two</title>')
    await desk.tab.goto(desk.at('/sites/demo?q=of+two'))
    await desk.tab.getByLabel('Choose all').check()
    await desk.tab.getByText('2 chosen').waitFor()
    await desk.button('Move to folder…').click()
    await desk.tab.getByRole('dialog').getByLabel('Folder').fill('/both')
    await desk.button('Check the links').click()
    await desk.tab.getByText('No other page links there').waitFor()
    await desk.button('Move').click()
    await desk.said('Moved to /both.')
    assert.equal((await desk.service.visit('/both/two')).status, 200)
    await desk.tab.getByText('/both/two').waitFor()
    await desk.button('Unpublish…').click()
    await desk.tab.getByLabel('“Gone”').check()
    await desk.button('Unpublish').click()
    await desk.said('Unpublished 2 pages.')
    assert.equal((await desk.service.visit('/both/one')).status, 410)
  })

  it('shows the folders from thirty pages on, filters by one, and moves it', async () => {
    for (let n = 0; n < 30; n++) await desk.publish(`/many/deep/${n}`, `<title>Deep ${n}</title>`)
    await desk.tab.goto(desk.at('/sites/demo'))
    const tree = desk.tab.getByRole('tree', { name: 'Folders' })
    await tree.getByRole('treeitem', { name: 'many' }).click()
    await desk.tab.waitForURL(/folder=%2Fmany%2F/)
    await desk.tab.getByText(/^30 of \d+ pages$/).waitFor()
    await desk.tab.keyboard.press('ArrowRight')
    await tree.getByRole('treeitem', { name: 'deep' }).waitFor()
    await desk.button('Rename or move /many/').click()
    await desk.tab.getByLabel('New address of the folder').fill('/few')
    await desk.button('Check the links').click()
    await desk.tab.getByText('No other page links there').waitFor()
    await desk.button('Move').click()
    await desk.said('Moved to /few.')
    assert.equal((await desk.service.visit('/few/deep/7')).status, 200)
  })

  it('leads from an empty site to the first page, and takes a folder', async () => {
    const slug = await makeSite(desk.service)
    await desk.tab.goto(desk.at(`/sites/${slug}`))
    await desk.tab.getByRole('link', { name: 'Write a page' }).waitFor()
    await desk.button('Drop or choose a folder').waitFor()
  })
})
