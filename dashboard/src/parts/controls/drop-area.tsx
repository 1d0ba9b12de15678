// An area to drop files on.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { useMay } from '../rights/allowed.js'

interface DropAreaProps {
  /** Read `dropped` before the first `await`: browsers discard the files then. */
  onDrop: (dropped: DataTransfer) => void
  children: ComponentChildren
}

export function DropArea({ onDrop, children }: DropAreaProps) {
  const [isOver, setOver] = useState(false)
  if (!useMay()('write')) return <div>{children}</div>
  return (
    <div
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={({ currentTarget, relatedTarget }) => {
        // Ignores a pointer that only moves to another part of the area.
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (event.dataTransfer !== null) onDrop(event.dataTransfer)
      }}
    >
      {children}
    </div>
  )
}
