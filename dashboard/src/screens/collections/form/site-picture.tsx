// A small picture of a file of the site, by its address.

import { useRef, useState } from 'preact/hooks'
import type { Site } from '../../../api/client.js'
import { useLoaded } from '../../../api/use-loaded.js'
import { useSettled } from '../../../api/use-settled.js'
import { useWasVisible } from '../../../browser/use-was-visible.js'
import { toDataUrl } from '../../../images/data-url.js'
import { Icon } from '../../../parts/icons.js'
import { readBytes } from '../../files/file-bytes.js'

/** Larger pictures are not shown as thumbnails. */
const MAX_BYTES = 2 * 1024 * 1024
const TYPING_DELAY_MS = 400
const PICTURE = /\.(?:avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i

export function SitePicture({ site, address }: { site: Site; address: string }) {
  const element = useRef<HTMLSpanElement>(null)
  const wasVisible = useWasVisible(element)
  const path = useSettled(pathOf(site, address), TYPING_DELAY_MS)
  return (
    <span ref={element} class="thumbnail hint">
      {path !== undefined && wasVisible ? <Loaded key={path} site={site} path={path} /> : <Icon name="image" />}
    </span>
  )
}

function Loaded({ site, path }: { site: Site; path: string }) {
  const [isBroken, setBroken] = useState(false)
  const { data } = useLoaded(`picture ${site.id} ${path}`, async () => {
    const bytes = await readBytes(site, path)
    return bytes.size <= MAX_BYTES ? await toDataUrl(bytes) : undefined
  })
  if (data === undefined || isBroken) return <Icon name="image" />
  return <img src={data} alt="" onError={() => setBroken(true)} />
}

/** Returns the path of the file; undefined for an address that is no picture of this site. */
function pathOf(site: Site, address: string): string | undefined {
  if (!URL.canParse(address, site.url)) return undefined
  const url = new URL(address, site.url)
  if (url.origin !== new URL(site.url).origin || !PICTURE.test(url.pathname)) return undefined
  try {
    return decodeURIComponent(url.pathname)
  } catch {
    return undefined
  }
}
