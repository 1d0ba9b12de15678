// A dialog over the screen. It is the browser's own, which keeps the focus inside and closes on Escape.

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'

interface DialogProps {
  title: string
  onClose: () => void
  children: ComponentChildren
  wide?: boolean
}

export function Dialog({ title, onClose, children, wide }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  // Runs before anything is painted: the next key press belongs to the dialog.
  useLayoutEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} class={wide === true ? 'wide' : ''} aria-labelledby={titleId} onClose={onClose}>
      <header>
        <h2 id={titleId}>{title}</h2>
        <button type="button" class="quiet" aria-label="Close" onClick={() => dialog.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  )
}
