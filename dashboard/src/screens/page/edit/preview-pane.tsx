// The preview beside the editor, in the width of a phone or of a desktop. The last picture stays until the next one is there.

import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { isNarrow, NARROW } from '../../../browser/narrow.js'
import { Disclosure } from '../../../parts/states/disclosure.js'
import { formatCount } from '../../../format.js'
import type { Preview } from '../use-preview.js'

export const WIDTHS = ['desktop', 'phone'] as const
export type Width = (typeof WIDTHS)[number]

const PIXELS: Readonly<Record<Width, number>> = { desktop: 1280, phone: 390 }
/** Warnings that are shown at once. */
const MAX_WARNINGS = 20

interface PreviewPaneProps {
  preview: Preview
  width: Width
}

export function PreviewPane({ preview: { url, absence, problem, warnings = [] }, width }: PreviewPaneProps) {
  return (
    <div class="preview">
      {url === undefined ? (
        <div class="frame hint" role="group" aria-label="Preview">
          <p>{absence}</p>
        </div>
      ) : (
        <Pictures url={url} width={width} />
      )}
      <div role="status">{problem !== undefined && <p class="hint wrong">{problem}</p>}</div>
      {warnings.length > 0 && (
        <Disclosure class="warnings hint" title={`${formatCount(warnings.length, 'thing')} to look at`}>
          <ul>
            {warnings.slice(0, MAX_WARNINGS).map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Disclosure>
      )}
    </div>
  )
}

/** The frame of the shown preview, and, unseen, that of the next one while it loads. */
function Pictures({ url, width }: { url: string; width: Width }) {
  const [shown, setShown] = useState(url)
  const box = useRef<HTMLDivElement>(null)
  const style = useFrameSize(box, PIXELS[width])
  return (
    <div ref={box} class={`pictures ${width}`}>
      {[...new Set([shown, url])].map((each) => {
        const isShown = each === shown
        return (
          <iframe
            key={each}
            class={isShown ? 'frame' : 'frame next'}
            title={isShown ? 'Preview' : 'Next preview'}
            aria-hidden={!isShown || undefined}
            src={each}
            style={style}
            onLoad={() => setShown(each)}
            // Scripts run as for visitors, but in an opaque origin.
            sandbox="allow-scripts"
            referrerpolicy="no-referrer"
          />
        )
      })}
    </div>
  )
}

/** Returns the size of a frame that has `pixels` inside, and is scaled down to the box. A narrower phone shows its own width. */
function useFrameSize(box: RefObject<HTMLDivElement | null>, pixels: number): Record<string, string> {
  const [{ width, height }, setSize] = useState({ width: pixels, height: 0 })
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  const inside = pixels === PIXELS.phone ? Math.min(pixels, width) : Math.max(pixels, width)
  const scale = width === 0 ? 1 : Math.min(1, width / inside)
  const left = Math.max(0, (width - inside * scale) / 2)
  return {
    width: `${inside}px`,
    height: `${height / scale}px`,
    transform: `scale(${scale})`,
    insetInlineStart: `${left}px`,
  }
}

/** Returns the width of previews: at first that of this device. */
export function useWidth(): [Width, (width: Width) => void] {
  const [width, setWidth] = useState<Width>(() => (isNarrow() ? 'phone' : 'desktop'))
  useEffect(() => {
    const media = matchMedia(NARROW)
    const follow = () => media.matches && setWidth('phone')
    media.addEventListener('change', follow)
    return () => media.removeEventListener('change', follow)
  }, [])
  return [width, setWidth]
}
