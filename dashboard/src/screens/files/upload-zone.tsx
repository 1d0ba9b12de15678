// The area to drop or choose files or a folder. All of them are published in one commit.

import type { ComponentChildren } from 'preact'
import type { Site } from '../../api/client.js'
import { Allowed } from '../../parts/rights/allowed.js'
import { DropArea } from '../../parts/controls/drop-area.js'
import { FileChooser } from '../../parts/controls/file-chooser.js'
import { Progress } from '../../parts/states/progress.js'
import { entriesOfDrop, filesOfEntries, filesOfInput } from './dropped.js'
import { UploadFindings } from './upload-findings.js'
import { useUpload } from './use-upload.js'

const HINT = 'You can also drop it on this list'

interface UploadZoneProps {
  site: Site
  onUploaded: () => void
  /** Controls in the same row, before those of the zone. */
  bar: ComponentChildren
  /** Gets whether an upload is running. */
  children: (isUploading: boolean) => ComponentChildren
}

export function UploadZone({ site, onUploaded, bar, children }: UploadZoneProps) {
  const { progress, findings, forgetFindings, send, cancel } = useUpload(site, onUploaded)
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
        {progress === undefined && (
          <Allowed to="write">
            <FileChooser label="Upload files" title={HINT} onChoose={sendChosen} />
            <FileChooser label="Upload a folder" title={HINT} kind="folder" onChoose={sendChosen} />
          </Allowed>
        )}
      </div>
      {progress && <Progress label="Uploading" of={progress} onCancel={cancel} />}
      {children(progress !== undefined)}
      <UploadFindings slug={site.slug} findings={findings} onClose={forgetFindings} />
    </DropArea>
  )
}
