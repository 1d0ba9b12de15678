import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { makeSignInToken } from '../../../src/usecases/sign-in/sign-in-link.js'
import { startProvider, type TestProvider } from '../../support/people/identity-provider.js'
import { type Desk, sitDown } from '../desk.js'
import { callsInSource, noteCalls, noteScreens } from './calls.js'
import { SCREENS } from '../looks/screens.js'
import { keysOf } from './keys.js'
import { FILE_TASKS } from './file-tasks.js'
import { OWN_TASKS } from './own-tasks.js'
import { PAGE_TASKS } from './page-tasks.js'
import { PAST_TASKS } from './past-tasks.js'
import { PEOPLE_TASKS } from './people-tasks.js'
import { RECORD_TASKS } from './record-tasks.js'
import { REVIEW_TASKS } from './review-tasks.js'
import { SITE_TASKS } from './site-tasks.js'
import type { Task } from './task.js'

const TASKS: readonly Task[] = [
  ...SITE_TASKS,
  ...PAGE_TASKS,
  ...PAST_TASKS,
  ...FILE_TASKS,
  ...RECORD_TASKS,
  ...REVIEW_TASKS,
  ...PEOPLE_TASKS,
  ...OWN_TASKS,
]

describe('a person with a keyboard alone', () => {
  let desk: Desk
  let provider: TestProvider
  let passed = 0

  before(async function () {
    provider = await startProvider('work')
    const env = { SIGN_IN_PROVIDERS: JSON.stringify([{ ...provider.settings, name: 'Example Inc.' }]) }
    desk = await sitDown(this, { env, clock: () => new Date(Date.now() + passed * 1000) })
    provider.meet(desk.at(''))
    provider.person = { sub: 'ida', name: 'Ida', email: 'ida@example.org', email_verified: true }
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(async () => {
    await desk?.leave()
    await provider.stop()
  })

  const signIn = async (tab: Page, label: string) => {
    const { services } = desk.service.server.service
    await tab.goto(desk.at(`/sign-in#${await makeSignInToken(services, desk.service.workspaceId, { label })}`))
    await tab.waitForURL(desk.at('/'))
  }

  it('has a task for each call of the dashboard that writes, and for each screen', () => {
    const calls = new Set(TASKS.flatMap((task) => task.calls ?? []))
    assert.deepEqual([...calls].toSorted(), callsInSource())
    const screens = new Set(TASKS.flatMap((task) => task.screens ?? []))
    const wanted = SCREENS.map(({ address }) => address.replace(/[?#].*$/, '')).filter((address) =>
      address.startsWith('/'),
    )
    assert.deepEqual(
      wanted.filter((screen) => !screens.has(screen) && screen !== '/sites/nowhere'),
      [],
    )
  })

  for (const { does, calls = [], screens = [], as = 'Ada', by } of TASKS)
    it(does, async () => {
      const tab = await (await desk.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
      const isMade = noteCalls(tab)
      const seen = noteScreens(tab)
      await signIn(tab, as)
      const keys = keysOf(tab)
      await by(keys, desk, (seconds) => (passed += seconds))
      assert.deepEqual(
        calls.filter((call) => !isMade(call)),
        [],
        'calls that it did not make',
      )
      assert.ok(screens.every(seen))
      assert.ok(await keys.hasPlace(), 'the focus is lost')
      await tab.context().close()
    })
})
