// The progress of a transfer in words and as a bar, and the button that cancels it.

import { Button } from '../controls/button.js'

export interface Done {
  done: number
  all: number
  /** The step that is running, such as “Uploading 12 of 67 files…”. */
  words?: string
}

interface ProgressProps {
  /** Names the transfer; stands in place of the words where there are none. */
  label: string
  of: Done
  onCancel?: () => void
}

export function Progress({ label, of: { done, all, words = `${label}…` }, onCancel }: ProgressProps) {
  return (
    <div class="transfer">
      <span>{words}</span>
      <progress aria-label={label} value={done} max={all}>
        {done} of {all}
      </progress>
      {onCancel && <Button onClick={onCancel}>Cancel</Button>}
    </div>
  )
}
