// The steps of a person at one tab of the dashboard, found by what the person reads.

import type { Locator, Page } from 'playwright-core'

export interface Hands {
  tab: Page
  button(name: string | RegExp, within?: Page | Locator): Locator
  linkTo(name: string | RegExp, within?: Page | Locator): Locator
  dialog(name?: string | RegExp): Locator
  /** Waits for a heading. */
  sees(heading: string | RegExp): Promise<void>
  /** Waits for a notice. */
  said(text: string | RegExp): Promise<void>
  undo(): Promise<void>
  editor(): Locator
  /** Replaces the text in the editor. */
  write(text: string): Promise<void>
  /** Chooses an item of a menu. */
  choose(menu: string | RegExp, item: string): Promise<void>
  /** Publishes what is in the editor of a page, by its button. */
  publishDraft(): Promise<void>
}

export function handsOn(tab: Page): Hands {
  const button: Hands['button'] = (name, within = tab) => within.getByRole('button', { name, exact: true })
  const dialog: Hands['dialog'] = (name) => tab.getByRole('dialog', name === undefined ? {} : { name })
  const editor = () => tab.getByRole('textbox', { name: 'HTML' })
  return {
    tab,
    button,
    linkTo: (name, within = tab) => within.getByRole('link', { name, exact: true }),
    dialog,
    sees: (name) => tab.getByRole('heading', { name }).first().waitFor(),
    said: (text) => tab.locator('.notices').getByText(text).first().waitFor(),
    undo: () => button('Undo', tab.locator('.notices')).last().click(),
    editor,
    async write(text) {
      await editor().click()
      await tab.keyboard.press('Control+A')
      await tab.keyboard.insertText(text)
    },
    async choose(menu, item) {
      await button(menu).click()
      await tab.getByRole('menuitem', { name: item, exact: true }).click()
    },
    async publishDraft() {
      await button('Publish…').click()
      await button('Publish', dialog('Publish')).click()
    },
  }
}
