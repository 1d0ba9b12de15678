// Copies the address of a page or file, and says so.

import { notify, notifyFailure } from '../overlays/notices.js'

export async function copyAddress(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    notify('The address is copied.')
  } catch {
    notifyFailure(new Error('The browser does not allow this page to copy. Open the address and copy it there.'))
  }
}
