// Drops a file on the area of the screen that takes files, as the pointer does.

import type { Page } from 'playwright-core'

export async function dropOn(tab: Page, name: string, bytes: Buffer): Promise<void> {
  await tab.evaluate(
    `{
      const given = new DataTransfer()
      const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (each) => each.charCodeAt(0))
      given.items.add(new File([bytes], '${name}'))
      document.querySelector('.drop-zone').dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer: given }))
    }`,
  )
}
