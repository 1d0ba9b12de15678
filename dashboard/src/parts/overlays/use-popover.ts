// Opens a box over the screen with the browser's own popover: a click outside and Escape close it, and the focus then returns.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { placeBeside } from './place.js'

export function usePopover() {
  const control = useRef<HTMLButtonElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  useLayoutEffect(() => {
    const shown = box.current
    if (!isOpen || shown === null || control.current === null) return undefined
    // The source lets the browser take a second click on the control for one that closes.
    shown.showPopover({ source: control.current })
    placeBeside(shown, control.current)
    const place = () => control.current && placeBeside(shown, control.current)
    addEventListener('resize', place)
    addEventListener('scroll', place, { passive: true })
    return () => {
      removeEventListener('resize', place)
      removeEventListener('scroll', place)
    }
  }, [isOpen])
  const close = () => {
    const hadFocus = box.current?.contains(document.activeElement) ?? false
    setOpen(false)
    if (hadFocus) control.current?.focus()
  }
  return {
    control,
    box,
    isOpen,
    open: () => setOpen(true),
    close,
    /** For the control. */
    forControl: {
      'aria-expanded': isOpen,
      onClick: () => (isOpen ? close() : setOpen(true)),
    },
    /** For the box, which exists only while it is open. */
    forBox: {
      popover: 'auto' as const,
      onToggle: ({ newState }: Pick<ToggleEvent, 'newState'>) => {
        if (newState === 'closed') close()
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape') return
        // A dialog below stays open.
        event.preventDefault()
        event.stopPropagation()
        close()
      },
    },
  }
}
