import assert from 'node:assert/strict'
import { PEOPLE_PATHS, SITE_PATHS } from '../../../dashboard/src/frame/addresses.js'
import { type Desk, sitDown } from '../desk.js'
import { wavesOf } from './waves.js'

/** After the first visit. */
const MOST_TRIPS = 2
/** A picture of one pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** The parts of the settings. */
const PARTS = ['general', 'visitors', 'protection', 'people', 'git', 'programs', 'domains', 'danger']

describe('the round trips of the dashboard', () => {
  let desk: Desk
  let addresses: string[]

  before(async function () {
    desk = await sitDown(this)
    const api = desk.service.api((await desk.service.mint({ scopes: ['admin'] })).key)
    const page = await desk.publish('/trips', '<h1>One</h1>')
    await desk.publish('/trips', '<h1>Two</h1>')
    await api.put('/files?path=/_redirects').type('text/plain').send('/a /trips\n').expect(201)
    await api.put('/files?path=/dot.png').type('image/png').send(PNG).expect(201)
    const made = await api.post('/collections').send({ name: 'books' }).expect(201)
    const { id: collection } = made.body.data as { id: string }
    await api
      .post(`/collections/${collection}/records`)
      .send({ data: { title: 'Metamorphoses' } })
      .expect(201)
    const drafted = await api.put('/pages?path=/draft&changeRequest=new').send({ html: '<h1>Draft</h1>' }).expect(201)
    const draft = drafted.body as { data: { id: string }; changeRequest: string }
    const request = draft.changeRequest
    const mine = await desk.publish('/mine', '<h1>Live</h1>')
    await desk.tab.goto(desk.at(`/sites/demo/pages/${mine}`))
    await desk.write('<h1>Drafted</h1>')
    await desk.tab.getByText('Saved', { exact: true }).waitFor()
    const given: Record<string, string> = { ':page': page, ':id': collection, ':request': request }
    const below = SITE_PATHS.filter((path) => path !== '/settings/:part').map((path) =>
      path.replaceAll(/:\w+/g, (name) => given[name] ?? assert.fail(`an address for ${path}`)),
    )
    addresses = [
      '/',
      '/reviews',
      ...PEOPLE_PATHS,
      '/agents/work?site=demo',
      ...below.map((path) => `/sites/demo${path}`),
      ...PARTS.map((part) => `/sites/demo/settings/${part}`),
      `/sites/demo/pages/${page}/history?from=1&to=2`,
      `/sites/demo/pages/${mine}`,
      `/sites/demo/pages/${draft.data.id}?changeRequest=${request}`,
      `/sites/demo/collections/${collection}?sort=title&where=title:eq:Metamorphoses`,
      '/sign-in',
      '/join#unknown',
      '/consent/unknown',
      '/sites/nowhere',
      '/nowhere',
    ]
  })
  after(() => desk?.leave())

  it(`are at most ${MOST_TRIPS} one after the other for a screen opened by its address`, async () => {
    const slow: Record<string, string[][]> = {}
    for (const address of addresses) {
      const waves = await wavesOf(desk.tab, desk.at(address))
      assert.equal(await desk.tab.locator('main .skeleton').count(), 0, `${address} is there`)
      if (waves.length > MOST_TRIPS) slow[address] = waves
    }
    assert.deepEqual(slow, {})
  }).timeout(600_000)
})
