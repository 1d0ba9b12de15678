// Files dropped on it, or chosen, become pages: all of them in one commit, with progress while they are read and sent.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { call, type Site } from '../api.js'
import { formatCount } from '../format.js'
import { notify, notifyFailure } from './notices.js'

interface DropZoneProps {
  site: Site
  onPublished: () => void
  /** What stands in the row of controls before its own. */
  bar: ComponentChildren
  children: ComponentChildren
}

/** As many as one batch may have. */
const MOST_FILES = 500

interface Progress {
  done: number
  all: number
}

export function DropZone({ site, onPublished, bar, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false)
  const [progress, setProgress] = useState<Progress>()
  const chooser = useRef<HTMLInputElement>(null)
  const take = async (files: readonly File[]) => {
    try {
      const count = await publishFiles(site, files, setProgress)
      notify(`${formatCount(count, 'page')} published as one change.`)
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
        void take([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <div class="bar">
        {bar}
        <button type="button" title="Or drop them anywhere on this list" onClick={() => chooser.current?.click()}>
          Publish files
        </button>
        <input
          ref={chooser}
          type="file"
          accept=".html,.htm,text/html"
          multiple
          hidden
          aria-label="HTML files"
          onChange={(event) => {
            void take([...(event.currentTarget.files ?? [])])
            event.currentTarget.value = ''
          }}
        />
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

async function publishFiles(
  site: Site,
  files: readonly File[],
  onProgress: (progress: Progress) => void,
): Promise<number> {
  const pages = files.filter(({ name }) => /\.html?$/i.test(name))
  if (pages.length === 0) throw new Error('Drop files whose names end in .html.')
  if (pages.length > MOST_FILES) throw new Error(`Drop at most ${MOST_FILES} files at once.`)
  const all = pages.length + 1
  const operations = []
  for (const [at, file] of pages.entries()) {
    onProgress({ done: at, all })
    // One file in memory after the other, so that the progress is true.
    // oxlint-disable-next-line no-await-in-loop
    operations.push({ op: 'putPage', path: pathOf(file.name), html: await file.text() })
  }
  onProgress({ done: pages.length, all })
  await call('POST', '/batch', { site: site.id, body: { operations } })
  return pages.length
}

/** `index.html` is the root; any other name is the page's. */
function pathOf(name: string): string {
  const base = name.replace(/\.html?$/i, '')
  return base === 'index' ? '/' : `/${base}`
}
