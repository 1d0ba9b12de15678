import assert from 'node:assert/strict'
import { type Desk, sitDown } from '../desk.js'
import { faultsIn } from '../looks/axe.js'
import { makeSites } from '../make-site.js'

const HUNDREDS = 120

describe('a choice among hundreds of sites', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
    await makeSites(HUNDREDS, desk.service)
    await desk.service.server.service.services.provisioner.createSite(desk.service.workspaceId, 'chess-club')
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  it('shows the first ones, finds one by a word, and keeps what is checked in sight', async () => {
    const { tab } = desk
    await tab.goto(desk.at('/keys'))
    await desk.button('New key').click()
    await desk.dialog().getByLabel('Label').fill('of two sites')
    const sites = desk.dialog().getByRole('group', { name: /^Sites/ })
    await sites.getByRole('checkbox', { name: 'demo' }).check()
    assert.equal(await sites.getByRole('checkbox').count(), 20)
    await sites.getByRole('searchbox', { name: 'Find a site' }).fill('chess')
    await sites.getByRole('checkbox', { name: 'chess-club' }).check()
    await sites.getByText('2 checked.').waitFor()
    assert.equal(await sites.getByRole('checkbox').count(), 2)
    assert.deepEqual(await faultsIn(tab), [])
    await sites.getByRole('searchbox').press('Enter')
    assert.equal(await desk.dialog().getByLabel('The key', { exact: true }).count(), 0)
    await desk.button('Create the key').click()
    await desk.dialog().getByLabel('The key', { exact: true }).waitFor()
    const admin = desk.service.api((await desk.service.mint({ scopes: ['admin'] })).key)
    const { body } = await admin.get('/keys').expect(200)
    const made = (body as { data: { label: string; sites: string[] | null }[] }).data.find(
      ({ label }) => label === 'of two sites',
    )
    assert.equal(made?.sites?.length, 2)
  })
})
