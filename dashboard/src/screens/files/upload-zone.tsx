// The area to drop or choose files or a folder. All of them are published in one commit.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { Allowed } from '../../parts/allowed.js'
import { DropArea } from '../../parts/drop-area.js'
import { FileChooser } from '../../parts/file-chooser.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { type Done, Progress } from '../../parts/progress.js'
import { entriesOfDrop, filesOfEntries, filesOfInput } from './dropped.js'
import { LeftOut, type LeftOutFile } from './left-out.js'
import { type LocalFile, upload } from './upload.js'

const HINT = 'You can also drop it on this list'

interface UploadZoneProps {
  site: Site
  onUploaded: () => void
  /** Controls in the same row, before those of the zone. */
  bar: ComponentChildren
  children: ComponentChildren
}

export function UploadZone({ site, onUploaded, bar, children }: UploadZoneProps) {
  const { progress, leftOut, setLeftOut, send, cancel } = useUpload(site, onUploaded)
  const sendChosen = (files: readonly File[]) => void send(async () => filesOfInput(files))
  return (
    <DropArea
      onDrop={({ items }) => {
        const entries = entriesOfDrop(items)
        void send(() => filesOfEntries(entries))
      }}
    >
      <div class="bar">
        {bar}
        {progress === undefined ? (
          <Allowed to="write">
            <FileChooser label="Upload files" title={HINT} onChoose={sendChosen} />
            <FileChooser label="Upload a folder" title={HINT} kind="folder" onChoose={sendChosen} />
          </Allowed>
        ) : (
          <Progress label="Uploading" of={progress} onCancel={cancel} />
        )}
      </div>
      {children}
      {leftOut.length > 0 && <LeftOut files={leftOut} onClose={() => setLeftOut([])} />}
    </DropArea>
  )
}

/** Allows one upload at a time: while one runs, another one is refused. */
function useUpload(site: Site, onUploaded: () => void) {
  const [progress, setProgress] = useState<Done>()
  const [leftOut, setLeftOut] = useState<readonly LeftOutFile[]>([])
  const running = useRef<AbortController>(undefined)
  const send = async (find: () => Promise<LocalFile[]>) => {
    if (running.current !== undefined) return notifyFailure('An upload is running: wait, or cancel it.')
    const { signal } = (running.current = new AbortController())
    setProgress({ done: 0, all: 1 })
    try {
      const files = await find()
      if (files.length === 0) throw new Error('There is no file to upload: hidden names are left out.')
      const { created, replaced, unchanged, warnings, skipped } = await upload(site, files, {
        onProgress: setProgress,
        signal,
      })
      notify(`${formatCount(created, 'file')} created, ${replaced} replaced, ${unchanged} unchanged.`)
      for (const { path, message } of warnings) notify(`${path}: ${message}`)
      setLeftOut(skipped ?? [])
      onUploaded()
    } catch (error) {
      if (signal.aborted) notify('The upload was cancelled: nothing was published.')
      else notifyFailure(error)
    } finally {
      running.current = undefined
      setProgress(undefined)
    }
  }
  return { progress, leftOut, setLeftOut, send, cancel: () => running.current?.abort() }
}
