// A button that copies a text and confirms it.

import { useState } from 'preact/hooks'
import { notifyFailure } from '../overlays/notices.js'
import { Button } from '../controls/button.js'

const CONFIRMED_MS = 2000

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), CONFIRMED_MS)
    } catch {
      notifyFailure(new Error('The browser does not allow this page to copy. Select the text and copy it.'))
    }
  }
  return <Button onClick={() => void copy()}>{isCopied ? 'Copied' : label}</Button>
}
