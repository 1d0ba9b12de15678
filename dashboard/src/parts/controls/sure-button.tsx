// A button that takes two clicks, for what cannot be undone.

import { useState } from 'preact/hooks'
import { Button } from './button.js'

interface SureButtonProps {
  label: string
  /** Shown after the first click. */
  sureLabel: string
  /** The thing that it is about, for screen readers. */
  of?: string
  onSure: () => void
}

export function SureButton({ label, sureLabel, of = '', onSure }: SureButtonProps) {
  const [isArmed, setArmed] = useState(false)
  const text = isArmed ? sureLabel : label
  return (
    <Button
      kind={isArmed ? 'danger' : 'plain'}
      aria-label={`${text} ${of}`.trim()}
      onBlur={() => setArmed(false)}
      onClick={() => {
        if (isArmed) onSure()
        setArmed(!isArmed)
      }}
    >
      {text}
    </Button>
  )
}
