// The start page of a site, small: a picture for people who look, and nothing for the keyboard and screen readers.

import { useRef } from 'preact/hooks'
import { Icon } from '../../parts/icons.js'
import { useFramePlace } from './use-frame-place.js'

interface SitePictureProps {
  /** The start page; undefined where there is none, or none yet. */
  url: string | undefined
}

/** The frame has a host of its own, and neither scripts nor forms. */
export function SitePicture({ url }: SitePictureProps) {
  const box = useRef<HTMLDivElement>(null)
  const mayLoad = useFramePlace(box)
  return (
    <div class="site-picture" ref={box} inert aria-hidden="true">
      {url !== undefined && mayLoad ? (
        <iframe title="The start page" src={url} sandbox="" loading="lazy" referrerpolicy="no-referrer" tabIndex={-1} />
      ) : (
        <Icon name="site" />
      )}
    </div>
  )
}
