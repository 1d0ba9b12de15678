// A small picture of a file, or a word for its type, mostly its extension. An `<img>` never runs scripts of the file.

import type { Site, StoredFile } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import type { Pixels } from '../../images/image-tag.js'
import { toDataUrl } from '../../images/data-url.js'
import { readBytes } from './file-bytes.js'

/** Larger images are shown only when they are opened. */
const MAX_BYTES = 256 * 1024
/** Limit for images in the dialog. */
const MAX_OPENED_BYTES = 8 * 1024 * 1024

export function isImage({ mediaType, size }: StoredFile, maxBytes = MAX_OPENED_BYTES): boolean {
  return mediaType.startsWith('image/') && size <= maxBytes
}

export function Thumbnail({ site, file }: { site: Site; file: StoredFile }) {
  if (!isImage(file, MAX_BYTES)) return <span class="thumbnail hint">{wordOf(file)}</span>
  return (
    <span class="thumbnail">
      <Picture site={site} file={file} />
    </span>
  )
}

interface PictureProps {
  site: Site
  file: StoredFile
  /** Called with the pixels once they are known. */
  onSize?: (size: Pixels) => void
}

export function Picture({ site, file, onSize }: PictureProps) {
  const { data } = useLoaded(
    `bytes ${site.id} ${file.oid}`,
    async () => await toDataUrl(await readBytes(site, file.path)),
  )
  if (data === undefined) return null
  return (
    <img
      src={data}
      alt=""
      onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
        onSize?.({ width: naturalWidth, height: naturalHeight })
      }
    />
  )
}

function wordOf({ path, url }: StoredFile): string {
  return /\.([^./]{1,5})$/.exec(path)?.[1] ?? (url === null ? 'rules' : 'file')
}
