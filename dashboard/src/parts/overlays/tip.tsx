// A tooltip: shown by the pointer or the focus of the keyboard, closed by Escape. It repeats a label that screen readers know.

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { placeBeside } from './place.js'

const DELAY_MS = 400

interface Tipped {
  onMouseEnter: (event: { currentTarget: Element }) => void
  onMouseLeave: () => void
  onFocus: (event: { currentTarget: Element }) => void
  onBlur: () => void
  onMouseDown: () => void
}

interface TipProps {
  text: string
  /** Returns the control, which takes these handlers. */
  children: (tipped: Tipped) => ComponentChildren
}

export function Tip({ text, children }: TipProps) {
  const [control, setControl] = useState<Element>()
  const timer = useRef(0)
  const box = useRef<HTMLSpanElement>(null)
  const hide = () => {
    clearTimeout(timer.current)
    setControl(undefined)
  }
  const show = (at: Element) => {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(() => setControl(at), DELAY_MS)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (control === undefined || box.current === null) return undefined
    box.current.showPopover()
    placeBeside(box.current, control, 'above')
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide()
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [control])
  return (
    <>
      {children({
        onMouseEnter: (event) => show(event.currentTarget),
        onMouseLeave: hide,
        onFocus: ({ currentTarget }) => {
          if (currentTarget.matches(':focus-visible')) show(currentTarget)
        },
        onBlur: hide,
        onMouseDown: hide,
      })}
      {control && (
        <span ref={box} class="tip" popover="manual" aria-hidden="true">
          {text}
        </span>
      )}
    </>
  )
}
