// Copies a text, and says so.

import { useState } from 'preact/hooks'
import { notifyFailure } from './notices.js'

export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
      setTimeout(() => setCopied(false), 2000)
    } catch {
      notifyFailure(new Error('The browser does not let this page copy: select the text and copy it yourself.'))
    }
  }
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied ? 'Copied' : label}
    </button>
  )
}
