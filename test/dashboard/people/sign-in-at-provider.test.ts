import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../../support/browser.js'
import { startProvider, type TestProvider } from '../../support/people/identity-provider.js'
import { type SignInService, startSignInService } from '../../support/people/desk-of-providers.js'

const STEP_MS = 60_000

describe('a person who signs in at an identity provider', function () {
  this.timeout(180_000)
  let provider: TestProvider
  let desk: SignInService
  let browser: Browser
  let tab: Page
  const complaints: string[] = []

  before(async () => {
    provider = await startProvider('work')
    const roles = { writers: { role: 'editor' }, guests: { role: 'viewer' } }
    desk = await startSignInService([{ ...provider.settings, name: 'Example Inc.', roleClaim: 'groups', roles }])
    provider.meet(desk.at(''))
    browser = await launchBrowser()
    const context = await browser.newContext({ viewport: { width: 390, height: 800 } })
    context.setDefaultTimeout(STEP_MS)
    tab = await context.newPage()
    tab.on('pageerror', (error) => complaints.push(error.message))
    tab.on('console', (message) => {
      if (/Content Security Policy|Uncaught/.test(message.text())) complaints.push(message.text())
    })
  })
  after(async () => {
    await browser.close()
    await desk.service.stop()
    await provider.stop()
  })

  const enter = async () => await tab.getByRole('link', { name: 'Sign in with Example Inc.' }).click()
  const scopes = async () => {
    const { data } = await tab.evaluate<{ data: { scopes: string[] } }>("fetch('/api/v1/me').then((r) => r.json())")
    return data.scopes
  }
  const signOut = async () => {
    await tab.locator('.user-menu', { hasText: 'Ada' }).click()
    await tab.getByRole('menuitem', { name: 'Sign out', exact: true }).click()
    await tab.getByRole('button', { name: 'Yes' }).click()
    await tab.waitForURL(desk.at('/sign-in'))
  }

  it('is told who they are and whom to ask, while no role is theirs', async () => {
    provider.person = { sub: 'ada', name: 'Ada', email: 'ada@example.org', email_verified: true, groups: [] }
    await tab.goto(desk.at('/sign-in'))
    await enter()
    const alert = tab.getByRole('alert')
    await alert.getByText('You are not a member yet').waitFor()
    assert.match(await alert.innerText(), /Ask one of its owners for an invitation/)
    assert.match(await alert.innerText(), /knows you as Ada \(ada@example\.org\)/)
  })

  it('comes in with the role of their claim, and signs out at the provider too', async () => {
    provider.person = { sub: 'ada', name: 'Ada', groups: ['writers'] }
    await tab.context().clearCookies()
    await tab.goto(desk.at('/sites'))
    await enter()
    await tab.waitForURL(desk.at('/sites'))
    await tab.locator('.user-menu', { hasText: 'Ada' }).waitFor()
    assert.deepEqual(await scopes(), ['read', 'write'])
    await signOut()
  })

  it('has another role at the next sign-in, once the provider says another', async () => {
    provider.person = { sub: 'ada', name: 'Ada', groups: ['guests'] }
    await enter()
    await tab.locator('.user-menu', { hasText: 'Ada' }).waitFor()
    assert.deepEqual(await scopes(), ['read'])
    await signOut()
    assert.deepEqual(complaints, [])
  })
})
