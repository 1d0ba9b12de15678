import assert from 'node:assert/strict'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from '../looks/axe.js'
import { LOOKS } from '../looks/looks.js'

describe('the dashboard: what waits for a person', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  after(() => desk?.leave())

  /** Makes a request with one file in a new site, under review. */
  const propose = async (slug: string, title: string): Promise<string> => {
    const { key } = await desk.service.mint({ scopes: ['write', 'admin'] })
    const api = desk.service.api(key)
    const { body } = await api.post('/sites').send({ slug }).expect(201)
    const site = (body as { data: { id: string } }).data.id
    const made = await api
      .post('/pages?changeRequest=new')
      .set('x-service-site-id', site)
      .send({ path: '/hours', html: '<p>9 to 5</p>' })
      .expect(201)
    const { changeRequest } = made.body as { changeRequest: string }
    await api.patch(`/change-requests/${changeRequest}`).send({ state: 'review', title }).expect(200)
    return changeRequest
  }

  it('is counted over all sites with one request, and listed on one screen', async () => {
    await propose('bakery', 'Opening hours of the bakery')
    await propose('garage', 'Opening hours of the garage')
    for (const options of [LOOKS.wide, LOOKS.phone, LOOKS.dark]) {
      const tab = await desk.signInAs('editor', 'Edith', options)
      const asked: string[] = []
      tab.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.includes('change-request')) asked.push(pathname.replace('/api/v1', ''))
      })
      await tab.reload()
      await tab.getByRole('link', { name: 'Reviews 2 waiting for you' }).click()
      await tab.getByRole('link', { name: 'Opening hours of the bakery' }).waitFor()
      await tab.getByText('in garage').waitFor()
      assert.deepEqual(new Set(asked), new Set(['/change-request-count', '/change-requests']))
      assert.equal(asked.filter((path) => path === '/change-requests').length, 1)
      assert.deepEqual(await faultsIn(tab), [])
      assert.ok(!(await tab.evaluate('document.documentElement.scrollWidth > innerWidth')))
      await tab.goto(desk.at('/sites/bakery/reviews'))
      await tab.getByRole('link', { name: 'Opening hours of the bakery' }).waitFor()
      assert.equal(await tab.getByText('Opening hours of the garage').count(), 0)
      await tab.context().close()
    }
  })
})
