// The dialog that chooses a picture from the files of the site, or uploads one.

import { useEffect, useRef, useState } from 'preact/hooks'
import { type Site, siteApi, type StoredFile } from '../../../api/client.js'
import { useList } from '../../../api/use-list.js'
import { useSettled } from '../../../api/use-settled.js'
import { uploadPicture } from '../../../images/use-image-upload.js'
import { FileChooser } from '../../../parts/controls/file-chooser.js'
import { SearchField } from '../../../parts/controls/search-field.js'
import { Dialog } from '../../../parts/overlays/dialog.js'
import { notifyFailure } from '../../../parts/overlays/notices.js'
import { Allowed } from '../../../parts/rights/allowed.js'
import { AwaitList } from '../../../parts/states/await.js'
import { type Done, Progress } from '../../../parts/states/progress.js'
import { SitePicture } from './site-picture.js'

const SEARCH_DELAY_MS = 250

interface ChoosePictureProps {
  site: Site
  onClose: () => void
  /** Called with the URL of the picture. */
  onChoose: (url: string) => void
}

export function ChoosePicture({ site, onClose, onChoose }: ChoosePictureProps) {
  const [words, setWords] = useState('')
  const q = useSettled(words.trim(), SEARCH_DELAY_MS)
  const files = useList<StoredFile>(`pictures ${site.id} ${q}`, (cursor, signal) =>
    siteApi(site).GET('/files', { params: { query: { limit: 1000, ...(q !== '' && { q }), ...cursor } }, signal }),
  )
  return (
    <Dialog title="Choose a picture" onClose={onClose} wide>
      {/* The dialog lies within the record's form, which Enter must not submit. */}
      <div class="bar" onKeyDown={(event) => event.key === 'Enter' && isField(event.target) && event.preventDefault()}>
        <SearchField label="Search path" value={words} onValue={setWords} />
        <Allowed to="write">
          <Upload site={site} onChoose={onChoose} />
        </Allowed>
      </div>
      <AwaitList of={files} moreLabel="More files" empty={<None isSearch={q !== ''} />}>
        {(entries) => <Pictures site={site} pictures={entries.filter(isPicture)} onChoose={onChoose} />}
      </AwaitList>
    </Dialog>
  )
}

interface PicturesProps {
  site: Site
  pictures: readonly StoredFile[]
  onChoose: (url: string) => void
}

function Pictures({ site, pictures, onChoose }: PicturesProps) {
  if (pictures.length === 0) return <None isSearch />
  return (
    <ul class="pictures" aria-label="Pictures">
      {pictures.map(({ path, url }) => (
        <li key={path}>
          <button type="button" class="quiet" onClick={() => url !== null && onChoose(url)}>
            <SitePicture site={site} address={url ?? ''} />
            <span class="value" title={path}>
              {path}
            </span>
          </button>
        </li>
      ))}
    </ul>
  )
}

function None({ isSearch }: { isSearch: boolean }) {
  return <p class="hint">{isSearch ? 'No picture has this text in its path.' : 'The site has no pictures yet.'}</p>
}

function Upload({ site, onChoose }: Pick<ChoosePictureProps, 'site' | 'onChoose'>) {
  const [progress, setProgress] = useState<Done>()
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])
  const upload = async (file: File) => {
    running.current = new AbortController()
    const { signal } = running.current
    setProgress({ done: 0, all: 1 })
    try {
      const { path } = await uploadPicture(site, file, { onProgress: setProgress, signal })
      onChoose(new URL(path, site.url).href)
    } catch (error) {
      if (!signal.aborted) notifyFailure(error)
    }
    setProgress(undefined)
  }
  if (progress !== undefined)
    return <Progress label="Uploading" of={progress} onCancel={() => running.current.abort()} />
  return (
    <FileChooser
      label="Upload…"
      fieldLabel="A picture to upload"
      kind="file"
      accept="image/*"
      onChoose={([file]) => file && void upload(file)}
    />
  )
}

function isPicture({ mediaType, url }: StoredFile): boolean {
  return mediaType.startsWith('image/') && url !== null
}

function isField(target: EventTarget | null): boolean {
  return target instanceof HTMLInputElement
}
