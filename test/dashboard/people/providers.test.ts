import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqlite } from '../../../src/catalog/sqlite/sqlite.js'
import { startProvider, type TestProvider } from '../../support/people/identity-provider.js'
import { type Desk, PHONE, sitDown } from '../desk.js'

const LONG = 'University of a Place With a Long Name'

describe('the dashboard: providers', () => {
  let desk: Desk
  let provider: TestProvider

  before(async function () {
    provider = await startProvider('work')
    const other = { id: 'other', name: LONG, issuer: 'https://login.example', clientId: 'x' }
    const providers = [{ ...provider.settings, name: 'Example Inc.' }, other]
    desk = await sitDown(this, { env: { SIGN_IN_PROVIDERS: JSON.stringify(providers) } })
    provider.meet(desk.at(''))
    await desk.service.server.service.services.provisioner.createSite(desk.service.workspaceId, 'second')
  })
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(async () => {
    await desk?.leave()
    await provider.stop()
  })

  const makeOld = () => {
    const sqlite = openSqlite(join(desk.service.dataDir, 'catalog.db'), { synchronous: 'FULL', mustExist: true })
    sqlite.prepare("UPDATE sessions SET proven_at = '2026-01-01T00:00:00Z'").run([])
    sqlite.close()
  }

  it('an owner lets the people of a mail domain join, and ends that', async () => {
    const { tab } = desk
    await tab.goto(desk.at('/members'))
    await tab.getByText('people join only by an invitation').waitFor()
    await desk.button('Add a domain').click()
    const dialog = tab.getByRole('dialog', { name: 'Add a mail domain' })
    assert.equal(await dialog.getByLabel('owner:').count(), 0)
    await dialog.getByLabel('Mail domain').fill('nonsense')
    await desk.button('Let them join', dialog).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.getByLabel('Mail domain').fill('example.org')
    await dialog.getByLabel('author:').check()
    await dialog.getByLabel('demo').check()
    await desk.button('Let them join', dialog).click()
    await desk.said('People with an address at example.org may join.')
    const domains = tab.getByRole('region', { name: 'Mail domains' })
    await domains.getByText('demo').waitFor()
    assert.match(
      await domains.getByRole('row').nth(1).innerText(),
      /example\.org\s+Example Inc\.\s+author\s+reads, .*\s+demo/,
    )

    provider.person = { sub: 'mia', name: 'Mia', email: 'mia@example.org', email_verified: true }
    const mia = await (await desk.newContext()).newPage()
    await mia.goto(desk.at('/sign-in'))
    await mia.getByRole('link', { name: 'Sign in with Example Inc.' }).click()
    await mia.getByRole('link', { name: 'demo', exact: true }).waitFor()
    assert.equal(await mia.getByRole('link', { name: 'second', exact: true }).count(), 0)
    await mia.context().close()

    await desk.button('Remove example.org').click()
    await desk.button('Remove now example.org').click()
    await desk.said('Nobody else joins by example.org.')
    await tab.getByText('people join only by an invitation').waitFor()
  })

  it('providers with long names fit on a phone, in screens and dialogs', async () => {
    const tab = await desk.signIn(PHONE)
    const widthOf = async (element: string) =>
      await tab.evaluate<number[]>(`[${element}.scrollWidth, ${element}.clientWidth]`)
    const fits = async (element: string, place: string) => {
      const [inner, outer] = await widthOf(element)
      assert.equal(inner, outer, place)
    }
    for (const path of ['/profile', '/members', '/audit']) {
      await tab.goto(desk.at(path))
      await tab.waitForLoadState('networkidle')
      await fits('document.documentElement', path)
    }
    await tab.goto(desk.at('/members'))
    await tab.getByRole('button', { name: 'Add a domain' }).click()
    await tab.getByRole('dialog').getByLabel('demo').waitFor()
    await fits("document.querySelector('dialog')", 'the dialog')
    await tab.context().clearCookies()
    await tab.goto(desk.at('/sign-in'))
    await tab.getByRole('link', { name: `Sign in with ${LONG}` }).waitFor()
    await fits('document.documentElement', '/sign-in')
    await tab.context().close()
  })

  it('an account at a provider is added after a fresh proof, and the last way in stays', async () => {
    const { tab } = desk
    provider.person = { sub: 'ada', name: 'Ada', email: 'ada@example.org', email_verified: true }
    await tab.goto(desk.at('/profile'))
    await desk.button('Add an account at Example Inc.').click()
    const accounts = tab.getByRole('region', { name: 'Accounts at providers' })
    await accounts.getByText('ada@example.org').waitFor()
    assert.equal(tab.url(), desk.at('/profile'))

    makeOld()
    await desk.button('Add an account at Example Inc.').click()
    await tab.getByRole('dialog', { name: 'Is it you?' }).waitFor()
    await tab.keyboard.press('Escape')
    assert.equal(tab.url(), desk.at('/profile'))
    await desk.button('Add an account at Example Inc.').click()
    await tab.getByRole('link', { name: 'Sign in again at Example Inc.' }).click()
    await tab.getByRole('dialog').waitFor({ state: 'hidden' })
    await accounts.getByText('ada@example.org').waitFor()
    await desk.button('Remove the account at Example Inc.').click()
    await desk.button('Remove for good the account at Example Inc.').click()
    await desk.said('This is the last way in that you have')
    await tab.goto(desk.at('/audit'))
    const added = tab.getByRole('row').filter({ hasText: 'Added an account at a provider' })
    await added.getByText('Chrome on Linux').waitFor()
  })
})
