// The files of a site that are not pages, with search. Files and folders can be dropped here to upload them.

import { useState } from 'preact/hooks'
import { type Site, siteApi, type StoredFile } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useSettled } from '../../api/use-settled.js'
import { focusSearch, useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { formatBytes } from '../../format.js'
import { Age } from '../../parts/states/age.js'
import { useMay } from '../../parts/rights/allowed.js'
import { SearchField } from '../../parts/controls/search-field.js'
import { AwaitList } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { VirtualRows } from '../../parts/lists/virtual-rows.js'
import { FileDialog } from './file-dialog.js'
import { Thumbnail } from './thumbnail.js'
import { UploadZone } from './upload-zone.js'
import { LinkButton } from '../../parts/controls/button.js'

const SEARCH_DELAY_MS = 250
const ROW_HEIGHT_PX = 64

export function FilesScreen({ site }: { site: Site }) {
  const [words, setWords] = useState('')
  const [shown, setShown] = useState<StoredFile>()
  const q = useSettled(words.trim(), SEARCH_DELAY_MS)
  const files = useList<StoredFile>(`files ${site.id} ${q}`, (cursor, signal) =>
    siteApi(site).GET('/files', { params: { query: { limit: 1000, ...(q !== '' && { q }), ...cursor } }, signal }),
  )
  useShortcuts({ '/': focusSearch })
  useTitle('Files', site.slug)
  return (
    <UploadZone
      site={site}
      onUploaded={files.reload}
      bar={
        <>
          <SearchField label="Search path" value={words} onValue={setWords} />
          <LinkButton href={`/sites/${site.slug}/files/_redirects`}>Redirects</LinkButton>
          <LinkButton href={`/sites/${site.slug}/files/_headers`}>Header fields</LinkButton>
        </>
      }
    >
      <AwaitList of={files} moreLabel="More files" empty={<NoFiles site={site} isSearch={q !== ''} />}>
        {(entries) => (
          <VirtualRows label="Files" rows={entries} keyOf={({ path }) => path} height={ROW_HEIGHT_PX}>
            {(file) => (
              <button type="button" class="row plain" onClick={() => setShown(file)}>
                <Thumbnail site={site} file={file} />
                <span class="row-main">
                  <strong>{file.path}</strong>
                  <span class="hint">{file.url === null ? 'rules of the site' : file.mediaType}</span>
                </span>
                <span class="hint">{formatBytes(file.size)}</span>
                <span class="hint wide-only">
                  <Age of={file.updatedAt} />
                </span>
              </button>
            )}
          </VirtualRows>
        )}
      </AwaitList>
      {shown && (
        <FileDialog
          key={shown.path}
          site={site}
          file={shown}
          onClose={() => setShown(undefined)}
          onChanged={files.reload}
        />
      )}
    </UploadZone>
  )
}

function NoFiles({ site, isSearch }: { site: Site; isSearch: boolean }) {
  const may = useMay()
  if (isSearch) return <EmptyState title="No file has this text in its path" />
  if (!may('write')) return <EmptyState title="No files yet" />
  return (
    <EmptyState title="No files yet" command={`palimpsest publish dist --site ${site.slug}`}>
      <p>Drop images, stylesheets or a whole folder here, or publish a folder from a shell:</p>
    </EmptyState>
  )
}
