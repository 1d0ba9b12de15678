// The steps of a person who has a keyboard and nothing else. Nothing here clicks, or moves the focus in another way than keys do.

import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'

/** Presses of Tab within which everything on a screen is reached. */
const MAX_TABS = 120
/** Presses of an arrow within which everything in a menu or a list is reached. */
const MAX_ARROWS = 40

type Role = Parameters<Page['getByRole']>[0]
type Name = string | RegExp

/** A file that the chooser of the operating system gives, which has keys of its own. */
interface GivenFile {
  name: string
  mimeType: string
  buffer: Buffer
}

export interface Keys {
  tab: Page
  press(...keys: string[]): Promise<void>
  type(text: string): Promise<void>
  /** Presses Tab until it has the focus. */
  reach(role: Role, name: Name): Promise<void>
  /** Whether it has the focus. */
  has(role: Role, name: Name): Promise<boolean>
  push(button: Name): Promise<void>
  follow(link: Name): Promise<void>
  /** Replaces the text of a field. */
  fill(field: Name, text: string): Promise<void>
  /** Types digits into a field of a day or a time, in the order of an American. */
  fillTime(field: Name, digits: string): Promise<void>
  /** Changes whether the box is checked. */
  toggle(checkbox: Name): Promise<void>
  /** Chooses one of a group of radio buttons. */
  choose(radio: Name): Promise<void>
  /** Chooses an item of a menu. */
  pick(menu: Name, item: Name): Promise<void>
  /** Chooses an option of a list. */
  select(list: Name, option: string): Promise<void>
  /** Opens or closes what stands below a line. */
  unfold(line: Name): Promise<void>
  /** Gives these files to the chooser that the key opens. */
  give(files: GivenFile[], open: () => Promise<void>): Promise<void>
  sees(text: Name): Promise<void>
  /** Waits for a notice. */
  said(text: Name): Promise<void>
  /** Whether anything but the whole page has the focus. */
  hasPlace(): Promise<boolean>
}

export function keysOf(tab: Page): Keys {
  const press: Keys['press'] = async (...keys) => {
    for (const key of keys) await tab.keyboard.press(key)
  }
  const isFocused = async (target: Locator) => (await target.and(tab.locator(':focus')).count()) > 0
  const until = async (target: Locator, key: string, limit: number) => {
    await target.first().waitFor()
    for (let presses = 0; presses <= limit; presses++) {
      if (await isFocused(target)) return
      await press(key)
    }
    assert.fail(`${limit} presses of ${key} do not reach ${String(target)}`)
  }
  const by = (role: Role, name: Name) => tab.getByRole(role, { name, exact: true })
  const reach: Keys['reach'] = (role, name) => until(by(role, name), 'Tab', MAX_TABS)
  return {
    tab,
    press,
    reach,
    has: (role, name) => isFocused(by(role, name)),
    type: (text) => tab.keyboard.type(text),
    async push(name) {
      await reach('button', name)
      await press('Enter')
    },
    async follow(name) {
      await reach('link', name)
      await press('Enter')
    },
    async fill(name, text) {
      await until(tab.getByLabel(name, { exact: true }), 'Tab', MAX_TABS)
      await press('Control+A')
      await tab.keyboard.insertText(text)
    },
    async fillTime(name, digits) {
      await until(tab.getByLabel(name, { exact: true }), 'Tab', MAX_TABS)
      await tab.keyboard.type(digits)
    },
    async toggle(name) {
      await reach('checkbox', name)
      await press('Space')
    },
    async choose(name) {
      const radio = by('radio', name)
      const group = tab.getByRole('radiogroup').filter({ has: radio }).getByRole('radio')
      await until(group, 'Tab', MAX_TABS)
      if (!(await isFocused(radio))) await until(radio, 'ArrowDown', MAX_ARROWS)
      if (!(await radio.isChecked())) await press('Space')
    },
    async pick(menu, item) {
      await reach('button', menu)
      await press('Enter')
      await until(by('menuitem', item), 'ArrowDown', MAX_ARROWS)
      await press('Enter')
    },
    async select(name, option) {
      const list = tab.getByRole('combobox', { name, exact: true })
      await until(list, 'Tab', MAX_TABS)
      await tab.keyboard.type(option)
      assert.equal(await list.locator('option:checked').innerText(), option)
    },
    async unfold(line) {
      await until(tab.locator('summary').filter({ hasText: line }), 'Tab', MAX_TABS)
      await press('Enter')
    },
    async give(files, open) {
      const chooser = tab.waitForEvent('filechooser')
      await open()
      await (await chooser).setFiles(files)
    },
    sees: (text) => tab.getByText(text).first().waitFor(),
    said: (text) => tab.locator('.notices').getByText(text).first().waitFor(),
    hasPlace: () => tab.evaluate('document.activeElement !== null && document.activeElement !== document.body'),
  }
}
