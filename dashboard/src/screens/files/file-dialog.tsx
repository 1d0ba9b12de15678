// One file: what it is, what links to it, and copying, replacing and deleting it.

import { useState } from 'preact/hooks'
import { dataOf, type Site, siteApi, type StoredFile } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatBytes, formatCount, formatUrl } from '../../format.js'
import { imageTag, type Pixels } from '../../images/image-tag.js'
import { Age } from '../../parts/age.js'
import { CopyButton } from '../../parts/copy-button.js'
import { Dialog } from '../../parts/dialog.js'
import { Facts } from '../../parts/facts.js'
import { FileChooser } from '../../parts/file-chooser.js'
import { notify, notifyFailure } from '../../parts/notices.js'
import { Await } from '../../parts/state.js'
import { isImage, Picture } from './thumbnail.js'
import { upload } from './upload.js'

interface FileDialogProps {
  site: Site
  file: StoredFile
  onClose: () => void
  onChanged: () => void
}

export function FileDialog({ site, file, onClose, onChanged }: FileDialogProps) {
  const [size, setSize] = useState<Pixels>()
  const act = async (work: () => Promise<void>) => {
    try {
      await work()
      onChanged()
      onClose()
    } catch (error) {
      notifyFailure(error)
    }
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
          ['Used by', <UsedBy site={site} file={file} />],
          ...(file.url === null ? [] : [['Address', <Address url={file.url} />] as [string, preact.ComponentChildren]]),
        ]}
      />
      <div class="bar">
        {file.url !== null && <CopyButton text={file.url} label="Copy URL" />}
        {file.url !== null && size !== undefined && (
          <CopyButton text={imageTag(new URL(file.url).pathname, size)} label="Copy <img>" />
        )}
        {file.url === null && (
          <a class="button main" href={`/sites/${site.slug}/files${file.path}`}>
            Edit
          </a>
        )}
        <FileChooser
          label="Replace…"
          fieldLabel="Another file for this path"
          kind="file"
          onChoose={([chosen]) => chosen && void act(() => replace(site, file, chosen))}
        />
        <button type="button" class="danger" onClick={() => void act(() => remove(site, file, onChanged))}>
          Delete
        </button>
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

/** The pages whose links would break without the file: a dry run of its deletion names them. */
function UsedBy({ site, file }: { site: Site; file: StoredFile }) {
  const used = useLoaded(`used ${site.id} ${file.path} ${file.oid}`, async (signal) => {
    const params = { query: { path: file.path, dryRun: true } }
    const { dryRun } = dataOf(await siteApi(site).DELETE('/files', { params, signal }))
    const warnings = dryRun?.warnings ?? []
    return {
      paths: [...new Set(warnings.flatMap(({ path }) => path ?? []))],
      isWhole: warnings.every(({ code }) => code !== 'links_unchecked'),
    }
  })
  return (
    <Await of={used}>
      {({ paths, isWhole }) => (
        <>
          {paths.length === 0 ? 'no page' : `${formatCount(paths.length, 'page')}: ${paths.join(', ')}`}
          {!isWhole && ' (not every page was looked at)'}
        </>
      )}
    </Await>
  )
}

async function replace(site: Site, { path }: StoredFile, chosen: File): Promise<void> {
  await upload(site, [{ name: path.slice(1), bytes: chosen }], {})
  notify(`${path} is replaced.`)
}

async function remove(site: Site, { path, oid }: StoredFile, onChanged: () => void): Promise<void> {
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
