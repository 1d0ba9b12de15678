// The area to drop or choose HTML files, or a folder or zip with a whole site. All of them are published in one commit.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { dataOf, type Site, siteApi } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { Allowed } from '../../parts/rights/allowed.js'
import { DropArea } from '../../parts/controls/drop-area.js'
import { FileInput } from '../../parts/controls/file-chooser.js'
import { FilterBar } from '../../parts/lists/filter-bar.js'
import { Menu } from '../../parts/overlays/menu.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { type Done, Progress } from '../../parts/states/progress.js'
import { entriesOfDrop, filesOfEntries, filesOfInput } from '../files/dropped.js'
import { UploadFindings } from '../files/upload-findings.js'
import { useUpload } from '../files/use-upload.js'
import { filesOfZip, onlyZip } from '../files/zip.js'

interface DropZoneProps {
  site: Site
  onPublished: () => void
  /** Controls in the same row, before those of the drop zone. */
  bar: ComponentChildren
  /** The main action of the screen, at the end of the row. */
  action: ComponentChildren
  /** Gets a function that uploads a chosen folder. */
  children: (onFolder: (files: readonly File[]) => void) => ComponentChildren
}

export function DropZone({ site, onPublished, bar, action, children }: DropZoneProps) {
  const [progress, setProgress] = useState<Done>()
  const folder = useUpload(site, onPublished)
  const input = useRef<HTMLInputElement>(null)
  const zipInput = useRef<HTMLInputElement>(null)
  const unpack = (zip: File) => void folder.send(async () => await filesOfZip(zip))
  const publish = async (files: readonly File[]) => {
    try {
      const { pages, leftOut } = await publishFiles(site, files, setProgress)
      const rest = leftOut === 0 ? '' : ` ${formatCount(leftOut, 'file')} left out: the Files screen takes them.`
      notify(`${formatCount(pages, 'page')} published as one change.${rest}`)
      onPublished()
    } catch (error) {
      notifyFailure(error)
    } finally {
      setProgress(undefined)
    }
  }
  const drop = ({ files, items }: DataTransfer) => {
    const zip = onlyZip(files)
    const entries = entriesOfDrop(items)
    if (zip !== undefined) unpack(zip)
    else if (entries.some(({ isDirectory }) => isDirectory)) void folder.send(() => filesOfEntries(entries))
    else void publish([...files])
  }
  return (
    <DropArea onDrop={drop}>
      <FilterBar
        action={
          <>
            <Allowed to="write">
              <Menu
                label="More"
                items={[
                  { label: 'Publish HTML files…', icon: 'upload', run: () => input.current?.click() },
                  { label: 'Publish a zip…', icon: 'upload', run: () => zipInput.current?.click() },
                ]}
              />
              <FileInput
                input={input}
                label="HTML files"
                accept=".html,.htm,text/html"
                onChoose={(files) => void publish(files)}
              />
              <FileInput
                input={zipInput}
                label="A zip archive"
                kind="file"
                accept=".zip,application/zip"
                onChoose={([zip]) => zip && unpack(zip)}
              />
            </Allowed>
            {action}
          </>
        }
      >
        {bar}
      </FilterBar>
      {progress && <Progress label="Publishing" of={progress} />}
      {folder.progress && <Progress label="Uploading" of={folder.progress} onCancel={folder.cancel} />}
      {children((files) => void folder.send(async () => filesOfInput(files)))}
      <UploadFindings slug={site.slug} findings={folder.findings} onClose={folder.forgetFindings} />
    </DropArea>
  )
}

/** The limit of one batch. */
const MAX_FILES = 500

interface Published {
  pages: number
  /** Files that are not HTML, and so were not published. */
  leftOut: number
}

/** Publishes the files. Throws an error for people. */
async function publishFiles(
  site: Site,
  files: readonly File[],
  onProgress: (progress: Done) => void,
): Promise<Published> {
  const pages = files.filter(({ name }) => /\.html?$/i.test(name))
  if (pages.length === 0) throw new Error('Drop files whose names end in .html.')
  if (pages.length > MAX_FILES) throw new Error(`Drop at most ${MAX_FILES} files at once.`)
  const all = pages.length + 1
  const operations = []
  for (const [at, file] of pages.entries()) {
    onProgress({ done: at, all })
    // Reads the files one by one, so that the progress is correct.
    // oxlint-disable-next-line no-await-in-loop
    operations.push({ op: 'putPage' as const, path: pathOf(file.name), html: await readText(file) })
  }
  onProgress({ done: pages.length, all })
  dataOf(await siteApi(site).POST('/batch', { body: { operations } }))
  return { pages: pages.length, leftOut: files.length - pages.length }
}

/** Throws an error for people if the bytes are not UTF-8: replacing unreadable characters would lose them. */
async function readText(file: File): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer())
  } catch (cause) {
    throw new Error(`${file.name} is not UTF-8: save it as UTF-8. Nothing was published.`, { cause })
  }
}

/** Returns the path for a file name: `/` for `index.html`, `/about` for `about.html`. A name is literal, a path is percent-decoded. */
function pathOf(name: string): string {
  const base = name.replace(/\.html?$/i, '').replaceAll('%', '%25')
  return base === 'index' ? '/' : `/${base}`
}
