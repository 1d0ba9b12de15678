import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { startProvider, type TestProvider } from '../../support/people/identity-provider.js'
import { type Desk, sitDown } from '../desk.js'
import { addDevice } from './device.js'
import { type Program, startProgram } from './program.js'

/** Each test goes on where the one before it ended. */
describe('the dashboard: from the first owner to a revoked agent', () => {
  let desk: Desk
  let provider: TestProvider
  let program: Program
  let owner: Page
  let ben: Page
  let agentOfBen: string

  before(async function () {
    provider = await startProvider('work')
    const providers = [{ ...provider.settings, name: 'Example Inc.' }]
    desk = await sitDown(this, { env: { SIGN_IN_PROVIDERS: JSON.stringify(providers) } })
    provider.meet(desk.at(''))
    await desk.service.server.service.services.provisioner.createSite(desk.service.workspaceId, 'second')
    program = await startProgram(desk)
  })
  after(async () => {
    program?.stop()
    await desk?.leave()
    await provider.stop()
  })

  const button = (tab: Page, name: string) => tab.getByRole('button', { name, exact: true })
  const linkTo = (tab: Page, name: string) => tab.getByRole('link', { name, exact: true })
  const said = async (tab: Page, text: string) => await tab.locator('.notices').getByText(text).first().waitFor()
  const publish = async (token: string, status: number) => {
    await desk.service.api(token).put('/pages?path=/by-agent').send({ html: '<p>x</p>' }).expect(status)
  }

  it('the owner comes in by a link once, and by a passkey from then on', async () => {
    const context = await desk.newContext({ offersPasskeys: true })
    owner = await context.newPage()
    await addDevice(owner)
    await owner.goto(await desk.link())
    await button(owner, 'Add a passkey').click()
    await owner.getByRole('heading', { name: 'Sites' }).waitFor()
    await owner.locator('.user-menu').click()
    await owner.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await button(owner, 'Sign in with a passkey').click()
    await owner.getByRole('heading', { name: 'Sites' }).waitFor()
  })

  it('a second person takes an invitation at the provider that knows the address, and sees one site', async () => {
    await linkTo(owner, 'Members').click()
    await button(owner, 'Invite a person').click()
    const invite = owner.getByRole('dialog', { name: 'Invite a person' })
    await invite.getByLabel('E-mail address').fill('ben@example.org')
    await invite.getByLabel('demo').check()
    await invite.getByRole('button', { name: 'Make the link' }).click()
    const link = await owner.getByRole('region', { name: 'The link' }).innerText()
    await owner.keyboard.press('Escape')

    provider.person = { sub: 'ben', name: 'Ben', email: 'ben@example.org', email_verified: true }
    ben = await (await desk.newContext()).newPage()
    await ben.goto(link.trim())
    await linkTo(ben, 'Sign in with Example Inc.').click()
    await linkTo(ben, 'demo').waitFor()
    assert.equal(await linkTo(ben, 'second').count(), 0)
    assert.equal(await linkTo(ben, 'Members').count(), 0)
    const body = { html: '<p>By Ben</p>' }
    const status = (path: string, id: string) =>
      ben.evaluate<number>(`fetch('/api/v1/pages?path=${path}', { method: 'PUT', body: '${JSON.stringify(body)}',
        headers: { 'content-type': 'application/json', 'x-service-site-id': '${id}' } }).then((r) => r.status)`)
    const { catalog } = desk.service.server.service.services
    const sites = await catalog.sites.list(desk.service.workspaceId)
    const idOf = (slug: string) => sites.find((site) => site.slug === slug)?.id ?? assert.fail(slug)
    assert.equal(await status('/by-ben', idOf('demo')), 201)
    assert.equal(await status('/by-ben', idOf('second')), 404)
  })

  it('the second person is promoted, and connects an agent', async () => {
    await owner.reload()
    await button(owner, 'Change role of Ben').click()
    const role = owner.getByRole('dialog', { name: 'The role of Ben' })
    await role.getByLabel('admin:').check()
    await role.getByLabel('demo').uncheck()
    await role.getByRole('button', { name: 'Set the role' }).click()
    await said(owner, 'Ben has other rights from now on.')
    await ben.reload()
    await linkTo(ben, 'second').waitFor()
    await linkTo(ben, 'Members').waitFor()
    agentOfBen = await program.connect(ben)
    await publish(agentOfBen, 201)
  })

  it('the second person and the agent are removed while they work', async () => {
    await ben.goto(desk.at('/sites/demo'))
    await owner.reload()
    await button(owner, 'Remove Ben').click()
    const removal = owner.getByRole('dialog', { name: 'Remove Ben' })
    await removal.getByText('Agent Test agent').waitFor()
    await removal.getByRole('button', { name: 'Remove the member' }).click()
    await said(owner, 'Ben is no longer a member.')
    await publish(agentOfBen, 401)
    await linkTo(ben, 'API keys').click()
    await ben.getByText('You are not signed in').waitFor()
    await linkTo(ben, 'Sign in with Example Inc.').click()
    await ben.getByText('You are not a member yet').waitFor()
  })

  it("the owner's agent is disconnected while it works", async () => {
    const token = await program.connect(owner)
    await publish(token, 200)
    await owner.goto(desk.at('/agents'))
    await button(owner, 'Disconnect Test agent').click()
    await button(owner, 'Disconnect now Test agent').click()
    await said(owner, 'is disconnected')
    await publish(token, 401)
    await linkTo(owner, 'Audit').click()
    for (const action of ['Connected Test agent', 'Disconnected Test agent']) {
      const row = owner.getByRole('row').filter({ hasText: action }).first()
      await row.getByText('Chrome on Linux').waitFor()
    }
  })
})
