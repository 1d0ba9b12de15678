import { Button } from '../controls/button.js'
// The progress of a transfer, and the button that cancels it.

export interface Done {
  done: number
  all: number
}

interface ProgressProps {
  label: string
  of: Done
  onCancel?: () => void
}

export function Progress({ label, of: { done, all }, onCancel }: ProgressProps) {
  return (
    <>
      <progress aria-label={label} value={done} max={all}>
        {done} of {all}
      </progress>
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </>
  )
}
