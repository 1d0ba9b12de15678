// The area where files or a folder are dropped or chosen: all of them are published in one commit.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { entriesOfDrop, filesOfEntries, filesOfInput } from './dropped.js'
import { type LocalFile, upload } from './upload.js'

interface UploadZoneProps {
  site: Site
  onUploaded: () => void
  /** Controls in the same row, before those of the zone. */
  bar: ComponentChildren
  children: ComponentChildren
}

export function UploadZone({ site, onUploaded, bar, children }: UploadZoneProps) {
  const [isOver, setOver] = useState(false)
  const [progress, setProgress] = useState<{ done: number; all: number }>()
  const running = useRef<AbortController>(undefined)
  const send = async (find: () => Promise<LocalFile[]>) => {
    const controller = new AbortController()
    running.current = controller
    setProgress({ done: 0, all: 1 })
    try {
      const files = await find()
      if (files.length === 0) throw new Error('There is no file to upload: hidden names are left out.')
      const { created, replaced, unchanged, warnings } = await upload(site, files, {
        onProgress: setProgress,
        signal: controller.signal,
      })
      notify(`${formatCount(created, 'file')} created, ${replaced} replaced, ${unchanged} unchanged.`)
      for (const { path, message } of warnings) notify(`${path}: ${message}`)
      onUploaded()
    } catch (error) {
      if (controller.signal.aborted) notify('The upload was cancelled: nothing was published.')
      else notifyFailure(error)
    } finally {
      setProgress(undefined)
    }
  }
  return (
    <div
      class={isOver ? 'drop-zone over' : 'drop-zone'}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const entries = event.dataTransfer === null ? [] : entriesOfDrop(event.dataTransfer.items)
        void send(() => filesOfEntries(entries))
      }}
    >
      <div class="bar">
        {bar}
        {progress === undefined ? (
          <>
            <Chooser label="Upload files" onChoose={(files) => void send(async () => filesOfInput(files))} />
            <Chooser
              label="Upload a folder"
              isFolder
              onChoose={(files) => void send(async () => filesOfInput(files))}
            />
          </>
        ) : (
          <>
            <progress aria-label="Uploading" value={progress.done} max={progress.all} />
            <button type="button" onClick={() => running.current?.abort()}>
              Cancel
            </button>
          </>
        )}
      </div>
      {children}
    </div>
  )
}

interface ChooserProps {
  label: string
  isFolder?: boolean
  onChoose: (files: readonly File[]) => void
}

function Chooser({ label, isFolder = false, onChoose }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" title="You can also drop it on this list" onClick={() => input.current?.click()}>
        {label}
      </button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        {...(isFolder && { webkitdirectory: true })}
        onChange={(event) => {
          onChoose([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
