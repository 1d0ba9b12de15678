// The editor and the preview side by side, with a divider to drag. In a narrow window they are two tabs.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { keep, readKept } from '../../../browser/storage.js'
import { Segmented } from '../../../parts/controls/segmented.js'

/** The width of the editor, in percent of both. */
const [LEAST, MOST] = [20, 80]
const STEP = 2
const KEPT = 'editor-share'

const TABS = ['Write', 'Preview'] as const

export function Panes({ editor, preview }: { editor: ComponentChildren; preview: ComponentChildren }) {
  const [tab, setTab] = useState<(typeof TABS)[number]>('Write')
  const [share, setShare] = useState(readShare)
  const change = (next: number) => {
    const kept = Math.round(Math.min(MOST, Math.max(LEAST, next)))
    setShare(kept)
    keep(KEPT, String(kept))
  }
  return (
    <>
      <div class="pane-tabs">
        <Segmented label="Show" isLabelUnseen value={tab} from={TABS} onChoose={setTab} />
      </div>
      <div class={`panes ${tab === 'Write' ? 'writing' : 'looking'}`} style={{ '--share': share }}>
        {editor}
        <Divider share={share} onChange={change} />
        {preview}
      </div>
    </>
  )
}

function Divider({ share, onChange }: { share: number; onChange: (share: number) => void }) {
  const onKey = (event: KeyboardEvent) => {
    const next = afterKey(share, event.key)
    if (next === undefined) return
    event.preventDefault()
    onChange(next)
  }
  const drag = ({ currentTarget, pointerId, buttons, clientX }: PointerEvent) => {
    // Without a button the drag is over: its end may have gone to the frame.
    if (!(currentTarget instanceof HTMLElement) || !currentTarget.hasPointerCapture(pointerId) || buttons === 0) return
    const { left, width } = currentTarget.parentElement?.getBoundingClientRect() ?? { left: 0, width: 1 }
    onChange(((clientX - left) / width) * 100)
  }
  return (
    <div
      class="divider"
      role="separator"
      tabIndex={0}
      aria-label="Width of the editor"
      aria-orientation="vertical"
      aria-valuenow={share}
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      onKeyDown={onKey}
      // The pointer stays the divider's over the frame of the preview too.
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={drag}
    />
  )
}

function afterKey(share: number, key: string): number | undefined {
  if (key === 'ArrowLeft') return share - STEP
  if (key === 'ArrowRight') return share + STEP
  if (key === 'Home') return LEAST
  return key === 'End' ? MOST : undefined
}

function readShare(): number {
  const kept = Number(readKept(KEPT))
  return kept >= LEAST && kept <= MOST ? kept : 50
}
