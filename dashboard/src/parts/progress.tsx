// How far a transfer is, and the button that ends it.

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
      {onCancel && (
        <button type="button" onClick={onCancel}>
          Cancel
        </button>
      )}
    </>
  )
}
