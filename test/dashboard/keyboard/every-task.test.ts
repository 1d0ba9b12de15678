import assert from 'node:assert/strict'
import { PEOPLE_PATHS, SITE_PATHS } from '../../../dashboard/src/frame/addresses.js'
import { type Desk, sitDown } from '../desk.js'
import { callsInSource, noteCalls, noteScreens } from './calls.js'
import { keysOf } from './keys.js'
import { SITE_TASKS } from './site-tasks.js'
import type { Task } from './task.js'

const TASKS: readonly Task[] = [...SITE_TASKS]

describe('a person with a keyboard alone', () => {
  let desk: Desk

  before(async function () {
    desk = await sitDown(this)
  })
  beforeEach(() => desk.complaints.splice(0))
  afterEach(() => assert.deepEqual(desk.complaints, []))
  after(() => desk?.leave())

  it('has a task for each call of the dashboard that writes, and for each screen', () => {
    const calls = TASKS.flatMap((task) => task.calls ?? [])
    assert.deepEqual(calls.toSorted(), callsInSource())
    const screens = new Set(TASKS.flatMap((task) => task.screens ?? []))
    const wanted = ['/', ...PEOPLE_PATHS, ...SITE_PATHS.map((path) => `/sites/:site${path}`)]
    assert.deepEqual(
      wanted.filter((screen) => !screens.has(screen)),
      [],
    )
  })

  for (const { does, calls = [], screens = [], by } of TASKS)
    it(does, async () => {
      const tab = await (await desk.newContext({ viewport: { width: 1280, height: 800 } })).newPage()
      const isMade = noteCalls(tab)
      const seen = noteScreens(tab)
      await tab.goto(await desk.link())
      await tab.waitForURL(desk.at('/'))
      const keys = keysOf(tab)
      await by(keys, desk)
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
