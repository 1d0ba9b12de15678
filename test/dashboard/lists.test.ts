import assert from 'node:assert/strict'
import { type Desk, sitDown } from './desk.js'
import { makeSiteOf } from './make-site.js'

/** One more than the service sends without being asked for a number. */
const MORE_THAN_A_SLICE = 201

describe('the dashboard: lists', function () {
  this.timeout(120_000)
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  it('starts an import, says why it failed, and forgets it when it is dismissed', async () => {
    await desk.tab.goto(desk.at('/'))
    await desk.button('New site').click()
    await desk.tab.getByLabel('Address').fill('moved')
    await desk.tab.getByText('Import it from a git repository').click()
    await desk.tab.getByLabel('URL').fill('https://ada:secret@127.0.0.1/site.git')
    await desk.button('Import the site').click()
    await desk.tab.getByText('in fields of their own').waitFor()
    await desk.tab.getByLabel('URL').fill('https://127.0.0.1/site.git')
    await desk.button('Import the site').click()
    await desk.tab.getByText('The import failed: 127.0.0.1 has no public address').waitFor()
    await desk.button('Dismiss').click()
    await desk.button('Dismiss').waitFor({ state: 'detached' })
  })

  it('shows all collections and all keys, slice by slice', async () => {
    const admin = desk.service.api((await desk.service.mint({ scopes: ['admin'] })).key)
    const numbers = Array.from({ length: MORE_THAN_A_SLICE }, (_, n) => n)
    await Promise.all(
      numbers.map(
        async (n) =>
          await admin
            .post('/collections')
            .send({ name: `collection ${n}` })
            .expect(201),
      ),
    )
    await Promise.all(numbers.map((n) => desk.service.mint({ label: `key ${n}` })))
    await desk.tab.goto(desk.at('/sites/demo/collections'))
    await desk.button('More collections').click()
    await desk.button('More collections').waitFor({ state: 'detached' })
    assert.equal(await desk.tab.locator('.card').count(), MORE_THAN_A_SLICE)
    await desk.tab.goto(desk.at('/keys'))
    await desk.button('More keys').waitFor()
    // The service has keys of the other tests too.
    for (let shown = 200; await desk.button('More keys').isVisible(); shown += 200) {
      await desk.button('More keys').click()
      await desk.tab.locator('tbody tr').nth(shown).waitFor()
    }
    for (const label of ['key 0', `key ${MORE_THAN_A_SLICE - 1}`]) {
      assert.equal(await desk.tab.getByRole('rowheader', { name: label, exact: true }).count(), 1, label)
    }
  })

  it('finds the last page of a site that is too large to be held in the browser', async () => {
    const slug = await makeSiteOf(20_001, desk.service)
    await desk.tab.goto(desk.at(`/sites/${slug}`))
    await desk.tab.getByText('the first ones by path').waitFor({ timeout: 60_000 })
    // The pages come in the order of their paths: /p/9999 is the last one.
    await desk.tab.getByPlaceholder('Search path and title').fill('/p/9999')
    await desk.tab.getByRole('link', { name: '/p/9999' }).waitFor()
    await desk.tab.getByText('1 page found').waitFor()
  })

  it('restores search, filter, order and position of a list on Back', async () => {
    const slug = await makeSiteOf(300, desk.service)
    await desk.tab.goto(desk.at(`/sites/${slug}`))
    await desk.tab.getByText('300 pages').waitFor()
    await desk.tab.getByLabel('Status').selectOption('all')
    await desk.tab.getByText('Loading…').waitFor({ state: 'detached' })
    await desk.tab.getByLabel('Sort by').selectOption('title')
    await desk.tab.getByPlaceholder('Search path and title').fill('/p/1')
    await desk.tab.getByText('111 of 300 pages').waitFor()
    await desk.tab.waitForURL(/q=/)
    await desk.tab.evaluate('scrollTo(0, 3400)')
    const link = desk.tab.getByRole('link', { name: '/p/154' })
    await link.waitFor()
    const left = await link.boundingBox()
    await link.click()
    await desk.editor().waitFor()
    await desk.tab.goBack()
    await link.waitFor()
    assert.equal(await desk.tab.getByPlaceholder('Search path and title').inputValue(), '/p/1')
    assert.equal(await desk.tab.getByLabel('Status').inputValue(), 'all')
    assert.equal(await desk.tab.getByLabel('Sort by').inputValue(), 'title')
    await desk.tab.waitForFunction('scrollY > 3300')
    assert.deepEqual(await link.boundingBox(), left)
  })
})
