// The area to drop or choose HTML files. All of them are published in one commit.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { Site } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { Allowed } from '../../parts/allowed.js'
import { DropArea } from '../../parts/drop-area.js'
import { FileChooser } from '../../parts/file-chooser.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { type Done, Progress } from '../../parts/progress.js'
import { publishFiles } from './publish-files.js'

interface DropZoneProps {
  site: Site
  onPublished: () => void
  /** Controls in the same row, before those of the drop zone. */
  bar: ComponentChildren
  children: ComponentChildren
}

export function DropZone({ site, onPublished, bar, children }: DropZoneProps) {
  const [progress, setProgress] = useState<Done>()
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
  return (
    <DropArea onDrop={({ files }) => void publish([...files])}>
      <div class="bar">
        {bar}
        <Allowed to="write">
          <FileChooser
            label="Publish files"
            fieldLabel="HTML files"
            title="You can also drop files on this list"
            accept=".html,.htm,text/html"
            onChoose={(files) => void publish(files)}
          />
        </Allowed>
        {progress && <Progress label="Publishing" of={progress} />}
      </div>
      {children}
    </DropArea>
  )
}
