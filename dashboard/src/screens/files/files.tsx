// The files of a site that are not pages, with search. Files and folders can be dropped here to upload them.

import { useState } from 'preact/hooks'
import { type Site, siteApi, type StoredFile } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { useSettled } from '../../api/use-settled.js'
import { focusSearch, useShortcuts } from '../../browser/shortcuts.js'
import { useTitle } from '../../browser/title.js'
import { nameOfSite } from '../../format.js'
import { useMay } from '../../parts/rights/allowed.js'
import { SearchField } from '../../parts/controls/search-field.js'
import { AwaitList } from '../../parts/states/await.js'
import { EmptyState } from '../../parts/states/empty-state.js'
import { VirtualRows } from '../../parts/lists/virtual-rows.js'
import { FileDialog } from './file-dialog.js'
import { FileHistory } from './file-history.js'
import { type FileAct, FileRow } from './file-row.js'
import { MoveFile } from './move-file.js'
import { UploadZone } from './upload-zone.js'
import { LinkButton } from '../../parts/controls/button.js'

const SEARCH_DELAY_MS = 250
const ROW_HEIGHT_PX = 64
const DIALOGS = { details: FileDialog, move: MoveFile, history: FileHistory } as const

export function FilesScreen({ site }: { site: Site }) {
  const [words, setWords] = useState('')
  const [shown, setShown] = useState<{ act: FileAct; file: StoredFile }>()
  const q = useSettled(words.trim(), SEARCH_DELAY_MS)
  const files = useList<StoredFile>(`files ${site.id} ${q}`, (cursor, signal) =>
    siteApi(site).GET('/files', { params: { query: { limit: 1000, ...(q !== '' && { q }), ...cursor } }, signal }),
  )
  const Shown = shown && DIALOGS[shown.act]
  useShortcuts({ '/': focusSearch })
  useTitle('Files', nameOfSite(site))
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
      {(isUploading) => (
        <>
          <AwaitList
            of={files}
            moreLabel="More files"
            empty={isUploading ? null : <NoFiles site={site} isSearch={q !== ''} />}
          >
            {(entries) => (
              <VirtualRows label="Files" rows={entries} keyOf={({ path }) => path} height={ROW_HEIGHT_PX}>
                {(file) => <FileRow site={site} file={file} onAct={(act) => setShown({ act, file })} />}
              </VirtualRows>
            )}
          </AwaitList>
          {Shown && shown && (
            <Shown
              key={shown.file.path}
              site={site}
              file={shown.file}
              onClose={() => setShown(undefined)}
              onChanged={files.reload}
            />
          )}
        </>
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
