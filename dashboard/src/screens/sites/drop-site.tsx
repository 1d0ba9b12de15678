// Takes a folder, files or a zip archive, dropped or chosen, and publishes all of it in one commit.

import { useRef, useState } from 'preact/hooks'
import { formatCount } from '../../format.js'
import { DropArea } from '../../parts/controls/drop-area.js'
import { FileChooser } from '../../parts/controls/file-chooser.js'
import { Icon } from '../../parts/icons.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { type Done, Progress } from '../../parts/states/progress.js'
import { entriesOfDrop, filesOfEntries, filesOfInput } from '../files/dropped.js'
import { type LocalFile, upload } from '../files/upload.js'
import { filesOfZip, onlyZip } from '../files/zip.js'
import type { Site } from '../../api/client.js'

interface DropSiteProps {
  /** Returns the site that takes the files; undefined if the person gave up. */
  siteFor: () => Promise<Site | undefined>
  onPublished: (site: Site) => void
}

export function DropSite({ siteFor, onPublished }: DropSiteProps) {
  const { progress, publish, cancel } = usePublish(siteFor, onPublished)
  return (
    <DropArea
      onDrop={({ items, files }) => {
        const zip = onlyZip(files)
        const entries = entriesOfDrop(items)
        void publish(async () => (zip === undefined ? await filesOfEntries(entries) : await filesOfZip(zip)))
      }}
    >
      <div class="first-step panel">
        <Icon name="upload" />
        <h2>Drop a folder or zip</h2>
        <p>All that is in it is published as one change, and live at once.</p>
        {progress === undefined ? (
          <div class="bar">
            <FileChooser
              label="Choose a folder"
              kind="folder"
              onChoose={(files) => void publish(async () => filesOfInput(files))}
            />
            <FileChooser
              label="Choose a zip"
              kind="file"
              accept=".zip,application/zip"
              onChoose={([file]) => void publish(async () => (file === undefined ? [] : await filesOfZip(file)))}
            />
          </div>
        ) : (
          <Progress label="Publishing" of={progress} onCancel={cancel} />
        )}
      </div>
    </DropArea>
  )
}

/** Publishes what `find` finds, one upload at a time. */
function usePublish(siteFor: DropSiteProps['siteFor'], onPublished: DropSiteProps['onPublished']) {
  const [progress, setProgress] = useState<Done>()
  const running = useRef<AbortController>(undefined)
  const publish = async (find: () => Promise<LocalFile[]>) => {
    if (running.current !== undefined) return
    const { signal } = (running.current = new AbortController())
    setProgress({ done: 0, all: 1 })
    try {
      const files = await find()
      if (files.length === 0) throw new Error('There is no file in it: hidden names are left out.')
      const site = await siteFor()
      if (site === undefined) return
      const { created, replaced, skipped } = await upload(site, files, { onProgress: setProgress, signal })
      notify(`${formatCount(created + replaced, 'file')} published.`)
      for (const { path, message } of skipped ?? []) notifyFailure(new Error(`Left out: ${path}. ${message}`))
      onPublished(site)
    } catch (error) {
      if (signal.aborted) notify('Nothing was published.')
      else notifyFailure(error)
    } finally {
      running.current = undefined
      setProgress(undefined)
    }
  }
  return { progress, publish, cancel: () => running.current?.abort() }
}
