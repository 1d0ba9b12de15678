// One file: its type and size, the pages that use it, and buttons to copy, replace and delete it.

import { useEffect, useRef, useState } from 'preact/hooks'
import { dataOf, Refusal, type Site, siteApi, type StoredFile } from '../../api/client.js'
import { putFile } from '../../api/put-file.js'
import { formatBytes, formatUrl } from '../../format.js'
import { imageTag, type Pixels } from '../../images/image-tag.js'
import { Age } from '../../parts/states/age.js'
import { Allowed, useMay } from '../../parts/rights/allowed.js'
import { CopyButton } from '../../parts/controls/copy-button.js'
import { Dialog } from '../../parts/overlays/dialog.js'
import { Facts } from '../../parts/lists/facts.js'
import { FileChooser } from '../../parts/controls/file-chooser.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { type Done, Progress } from '../../parts/states/progress.js'
import { Await } from '../../parts/states/await.js'
import { isImage, Picture } from './thumbnail.js'
import { useFileUsers } from './use-file-users.js'
import { UsedBy } from './used-by.js'
import { Button, LinkButton } from '../../parts/controls/button.js'

interface FileDialogProps {
  site: Site
  file: StoredFile
  onClose: () => void
  onChanged: () => void
}

export function FileDialog({ site, file, onClose, onChanged }: FileDialogProps) {
  const [size, setSize] = useState<Pixels>()
  const may = useMay()
  const users = useFileUsers(site, file)
  const { progress, replace, cancel } = useReplacing(site, file)
  const isUsed = users.data !== undefined && users.data.paths.length > 0
  const mayBeUsed = isUsed || users.data?.isWhole === false
  const isAsked = users.data === undefined && users.error === undefined
  const act = async (work: () => Promise<void>) => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'precondition_failed') return notifyFailure(error)
      notifyFailure(`Somebody else changed ${file.path} meanwhile. Look at it before you change it.`)
    }
    onChanged()
    onClose()
  }
  return (
    <Dialog title={file.path} onClose={onClose}>
      {isImage(file) && (
        <div class="picture">
          <Picture site={site} file={file} onSize={setSize} />
        </div>
      )}
      <Facts
        facts={[
          ['Type', file.mediaType],
          [
            'Size',
            size === undefined ? formatBytes(file.size) : `${formatBytes(file.size)}, ${size.width} × ${size.height}`,
          ],
          ['Changed', <Age of={file.updatedAt} />],
          ['Used by', <Await of={users}>{(found) => <UsedBy site={site} users={found} />}</Await>],
          ...(file.url === null ? [] : [['Address', <Address url={file.url} />] as [string, preact.ComponentChildren]]),
        ]}
      />
      {mayBeUsed && (
        <p class="hint wrong">
          Without the file, links of {isUsed ? 'these pages lead' : 'pages that were not checked may lead'} nowhere.
        </p>
      )}
      <div class="bar">
        {file.url !== null && <CopyButton text={file.url} label="Copy URL" />}
        {file.url !== null && size !== undefined && (
          <CopyButton text={imageTag(new URL(file.url).pathname, size, file.widths)} label="Copy <img>" />
        )}
        {file.url === null && (
          <LinkButton kind="main" href={`/sites/${site.slug}/files${file.path}`}>
            {may('write') ? 'Edit' : 'Show'}
          </LinkButton>
        )}
        <Allowed to="write">
          {progress === undefined ? (
            <FileChooser
              label="Replace…"
              fieldLabel="Another file for this path"
              kind="file"
              onChoose={([chosen]) => chosen && void act(() => replace(chosen))}
            />
          ) : (
            <Progress label="Uploading" of={progress} onCancel={cancel} />
          )}
          <Button kind="danger" disabled={isAsked} onClick={() => void act(() => deleteFile(site, file, onChanged))}>
            {mayBeUsed ? 'Delete anyway' : 'Delete'}
          </Button>
        </Allowed>
      </div>
    </Dialog>
  )
}

function Address({ url }: { url: string }) {
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {formatUrl(url)} ↗
    </a>
  )
}

/** Replaces the file, unless somebody else changed it since it was shown. */
function useReplacing(site: Site, { path, oid }: StoredFile) {
  const [progress, setProgress] = useState<Done>()
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])
  const replace = async (chosen: File) => {
    running.current = new AbortController()
    const { signal } = running.current
    setProgress({ done: 0, all: 1 })
    try {
      await putFile(site, path, chosen, { ifMatch: oid, onProgress: setProgress, signal })
      notify(`${path} is replaced.`)
    } catch (error) {
      throw signal.aborted ? new Error('The upload was cancelled: nothing was replaced.') : error
    } finally {
      setProgress(undefined)
    }
  }
  return { progress, replace, cancel: () => running.current.abort() }
}

/** Deletes the file and shows a notice with an Undo. */
async function deleteFile(site: Site, { path, oid }: StoredFile, onChanged: () => void): Promise<void> {
  const params = { query: { path }, header: { 'If-Match': `"${oid}"` } }
  dataOf(await siteApi(site).DELETE('/files', { params }))
  notify(`${path} is deleted.`, { label: 'Undo', run: () => void restore(site, path, onChanged) })
}

/** Rolls back to the version before the deletion. */
async function restore(site: Site, path: string, onChanged: () => void): Promise<void> {
  try {
    const versions = dataOf(await siteApi(site).GET('/files/versions', { params: { query: { path, limit: 2 } } }))
    const version = versions.find(({ oid }) => oid !== null)?.number
    if (version === undefined) throw new Error(`${path} has no version to go back to.`)
    dataOf(await siteApi(site).POST('/files/rollback', { body: { path, version } }))
    notify(`${path} is back.`)
    onChanged()
  } catch (error) {
    notifyFailure(error)
  }
}
