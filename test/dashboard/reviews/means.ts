// The means by which a person works with a screen: the keyboard alone, or the fingers on a phone.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** Presses of Tab within which everything on a screen is reached. */
const MAX_TABS = 100

export interface Means {
  press(control: Locator): Promise<void>
  /** Writes at the end of a field. */
  write(field: Locator, text: string): Promise<void>
}

export function byKeyboard(tab: Page): Means {
  return {
    async press(control) {
      await tabTo(tab, control)
      await tab.keyboard.press('Enter')
    },
    async write(field, text) {
      await tabTo(tab, field)
      await tab.keyboard.press('Control+End')
      await tab.keyboard.insertText(text)
    },
  }
}

export function byTouch(tab: Page): Means {
  return {
    press: (control) => control.tap(),
    async write(field, text) {
      await field.tap()
      await tab.keyboard.press('Control+End')
      await tab.keyboard.insertText(text)
    },
  }
}

/** Moves the focus from where it is to the control. */
async function tabTo(tab: Page, control: Locator): Promise<void> {
  await control.waitFor()
  for (let presses = 0; presses < MAX_TABS; presses++) {
    if (await control.evaluate((element) => element.matches(':focus'))) return
    await tab.keyboard.press('Tab')
  }
  assert.fail(`Tab does not reach ${control.toString()}`)
}
