// A box beside a button, with any content, such as a few fields.

import type { ComponentChildren } from 'preact'
import { Button, type ButtonLooks } from '../controls/button.js'
import { usePopover } from './use-popover.js'
import { useLayoutEffect } from 'preact/hooks'

interface PopoverProps extends ButtonLooks {
  /** Names the box, and the button if that has no text. */
  label: string
  class?: string
  /** The text of the button. */
  button?: ComponentChildren
  disabled?: boolean
  /** The content of the box. It may close itself. */
  children: ((close: () => void) => ComponentChildren) | ComponentChildren
}

export function Popover({ label, button, children, class: more = '', ...looks }: PopoverProps) {
  const { control, box, isOpen, close, forControl, forBox } = usePopover()
  useLayoutEffect(() => {
    if (isOpen) box.current?.querySelector<HTMLElement>('input, select, textarea, button, a')?.focus()
  }, [isOpen])
  return (
    <>
      <Button
        {...looks}
        buttonRef={control}
        class={button === undefined ? `icon-only ${more}` : more}
        aria-label={button === undefined ? label : undefined}
        aria-haspopup="dialog"
        {...forControl}
      >
        {button}
      </Button>
      {isOpen && (
        <div ref={box} role="dialog" aria-label={label} {...forBox}>
          {typeof children === 'function' ? children(close) : children}
        </div>
      )}
    </>
  )
}
