// A dialog over the screen. It is the browser's own, which keeps the focus inside and closes on Escape.

import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { Form } from '../controls/form.js'
import { IconButton } from '../controls/icon-button.js'

interface DialogProps {
  title: string
  /** Stands in the place of the title, which is then only read out. */
  head?: ComponentChildren
  onClose: () => void
  children: ComponentChildren
  /** The buttons at the foot, the main one last. */
  actions?: ComponentChildren
  /** Makes the whole dialog one form: a button of `actions` with `type="submit"` and Enter submit it. */
  onSubmit?: () => Promise<void>
  wide?: boolean
}

export function Dialog({ title, head, onClose, children, actions, onSubmit, wide }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isGone = useRef(false)
  const titleId = useId()
  // Runs before anything is painted: the next key press belongs to the dialog.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    return () => {
      isGone.current = true
      // A dialog that is only removed leaves the focus nowhere.
      shown?.close()
    }
  }, [])
  const close = () => {
    if (!isGone.current) onClose()
  }
  const inside = (
    <>
      {children}
      {actions !== undefined && <footer>{actions}</footer>}
    </>
  )
  return (
    <dialog ref={dialog} class={wide === true ? 'wide' : ''} aria-labelledby={titleId} onClose={close}>
      <div class="head">
        <h2 id={titleId} class={head === undefined ? undefined : 'unseen'}>
          {title}
        </h2>
        {head}
        <IconButton icon="close" label="Close" onClick={() => dialog.current?.close()} />
      </div>
      {onSubmit === undefined ? inside : <Form onSubmit={onSubmit}>{inside}</Form>}
    </dialog>
  )
}
