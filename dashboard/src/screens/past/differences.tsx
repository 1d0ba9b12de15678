// Lists the files that differ between then and now, by folder. Each page, file and folder can be brought back, or all of it.

import type { Undo } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { Button } from '../../parts/controls/button.js'
import { SureButton } from '../../parts/controls/sure-button.js'
import { Badge } from '../../parts/states/badge.js'
import { Disclosure } from '../../parts/states/disclosure.js'
import { pathOf } from '../history/changed-files.js'

type FileChange = NonNullable<Undo['dryRun']>['files'][number]

/** The service names so many files; there may be more. */
const MAX_FILES = 1_000
/** Files shown of one folder. */
const MAX_SHOWN = 100
/** Where to go back is to add a file, the site has lost it since. */
const SINCE = { added: 'removed since', modified: 'changed since', removed: 'new since' } as const
const STATES = { added: 'danger', modified: 'draft', removed: 'ok' } as const

interface DifferencesProps {
  files: readonly FileChange[]
  /** The act of the buttons; undefined for a person who may do nothing. */
  act: 'Restore' | 'Propose' | undefined
  isBusy: boolean
  /** Gets paths of pages, files and folders; none for all. */
  onRestore: (paths?: string[]) => void
  onShow: (path: string) => void
}

export function Differences({ files, act, isBusy, onRestore, onShow }: DifferencesProps) {
  // These belong to pages.
  const told = files.filter(({ path }) => !path.startsWith('.pages/') && !path.startsWith('.former/'))
  if (files.length === 0) return <p class="hint">The site is as it was then.</p>
  return (
    <>
      <div class="bar">
        <p class="grow">
          {told.length === 0 ? 'Only titles and old addresses differ from now.' : countOf(told, files.length)}
        </p>
        {act !== undefined && (
          <SureButton
            label={`${act} all`}
            sureLabel={`${act} the whole site as it was then`}
            onSure={() => !isBusy && onRestore()}
          />
        )}
      </div>
      {[...byFolder(told)].map(([folder, those]) => (
        <Disclosure
          key={folder}
          class="differing"
          isOpen={told.length <= MAX_SHOWN}
          title={`${folder === '/' ? 'Start folder' : folder} (${those.length})`}
        >
          {folder !== '/' && act !== undefined && (
            <Button isSmall icon="restore" isBusy={isBusy} onClick={() => onRestore([folder])}>
              {act} the folder {folder}
            </Button>
          )}
          <ul class="files">
            {those.slice(0, MAX_SHOWN).map((file) => (
              <Differing key={file.path} file={file} act={act} isBusy={isBusy} onRestore={onRestore} onShow={onShow} />
            ))}
          </ul>
          {those.length > MAX_SHOWN && <p class="hint">and {formatCount(those.length - MAX_SHOWN, 'more file')}</p>}
        </Disclosure>
      ))}
    </>
  )
}

interface DifferingProps extends Omit<DifferencesProps, 'files'> {
  file: FileChange
}

function Differing({ file: { path, change }, act, isBusy, onRestore, onShow }: DifferingProps) {
  const isPage = path.endsWith('.html')
  const name = isPage ? pathOf(path) : `/${path}`
  return (
    <li>
      <span class="grow">
        <Badge state={STATES[change]}>{SINCE[change]}</Badge>{' '}
        {isPage && change !== 'removed' ? (
          <button type="button" class="link" title="Look at it as it was" onClick={() => onShow(name)}>
            {name}
          </button>
        ) : (
          <code>{name}</code>
        )}
      </span>
      {act !== undefined && (
        <Button
          isSmall
          kind="quiet"
          isBusy={isBusy}
          aria-label={`${act} ${name}`}
          onClick={() => onRestore([placeOf(path)])}
        >
          {act}
        </Button>
      )}
    </li>
  )
}

function countOf(told: readonly FileChange[], count: number): string {
  const differ = `${formatCount(told.length, 'file differs', 'files differ')} from now`
  return count < MAX_FILES ? `${differ}.` : `${differ}; these are the first.`
}

function byFolder(files: readonly FileChange[]): Map<string, FileChange[]> {
  const folders = new Map<string, FileChange[]>()
  for (const file of files) {
    const slash = file.path.indexOf('/')
    const folder = slash === -1 ? '/' : `/${file.path.slice(0, slash + 1)}`
    const those = folders.get(folder)
    if (those === undefined) folders.set(folder, [file])
    else those.push(file)
  }
  return folders
}

/** A path that ends with a slash would be a folder: the page of one is named by its file. */
function placeOf(path: string): string {
  return path.endsWith('.html') && !/(?:^|\/)index\.html$/.test(path) ? pathOf(path) : `/${path}`
}
