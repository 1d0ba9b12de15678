// A button that opens a tab whose address is known only after a request.

import type { ComponentChildren } from 'preact'
import { whenProofIsAsked } from '../../api/proof.js'
import { Button } from './button.js'
import { notifyFailure } from '../overlays/notices.js'

interface OpenInTabProps {
  find: () => Promise<string>
  label: string
  /** Explains the button to people who point at it. */
  title: string
  /** The text of a link; without it, a button is shown. */
  children?: ComponentChildren
}

export function OpenInTab({ find, label, title, children }: OpenInTabProps) {
  const common = { 'aria-label': label, title, onClick: () => void openInTab(find) }
  return children === undefined ? (
    <Button icon="open" {...common}>
      Open
    </Button>
  ) : (
    <button type="button" class="link" {...common}>
      {children}
    </button>
  )
}

/** Opens the tab at once, and the address in it later. Only a click may call it. */
export async function openInTab(find: () => Promise<string>): Promise<void> {
  // A browser lets only the click itself open a tab.
  let tab = globalThis.open('about:blank', '_blank')
  // The new tab would hide the question for a proof. Its answer is a click too.
  const stop = whenProofIsAsked(() => tab?.close())
  try {
    const url = await find()
    if (tab?.closed === true) tab = globalThis.open('about:blank', '_blank')
    if (tab === null) throw new Error('The browser does not allow this page to open a tab.')
    tab.opener = null
    tab.location.replace(url)
  } catch (error) {
    tab?.close()
    notifyFailure(error)
  } finally {
    stop()
  }
}
