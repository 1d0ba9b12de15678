// The area where HTML files are dropped or chosen: all of them are published in one commit.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { type Progress, publishFiles } from './publish-files.js'

interface DropZoneProps {
  site: Site
  onPublished: () => void
  /** Controls in the same row, before those of the drop zone. */
  bar: ComponentChildren
  children: ComponentChildren
}

export function DropZone({ site, onPublished, bar, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const [progress, setProgress] = useState<Progress>()
  const publish = async (files: readonly File[]) => {
    try {
      const { pages, leftOut } = await publishFiles(site, files, setProgress)
      const rest = leftOut === 0 ? '' : ` ${formatCount(leftOut, 'file')} left out: only HTML files become pages.`
      notify(`${formatCount(pages, 'page')} published as one change.${rest}`)
      onPublished()
    } catch (error) {
      notifyFailure(error)
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
        void publish([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <div class="bar">
        {bar}
        <FileButton onChoose={(files) => void publish(files)} />
        {progress && (
          <progress aria-label="Publishing" value={progress.done} max={progress.all}>
            {progress.done} of {progress.all}
          </progress>
        )}
      </div>
      {children}
    </div>
  )
}

function FileButton({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <button type="button" title="You can also drop files on this list" onClick={() => input.current?.click()}>
        Publish files
      </button>
      <input
        ref={input}
        type="file"
        accept=".html,.htm,text/html"
        multiple
        hidden
        aria-label="HTML files"
        onChange={(event) => {
          onChoose([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </>
  )
}
