// The files that a change added, changed or removed. Each leads to the page's version, or to the file as it was then.

import { type Commit, dataOf, siteApi } from '../../api/client.js'
import { formatCount } from '../../format.js'
import { OpenInTab } from '../../parts/controls/open-in-tab.js'
import { useMay } from '../../parts/rights/allowed.js'
import { FileGroups } from '../../parts/lists/file-groups.js'
import { Badge } from '../../parts/states/badge.js'
import type { OneSite } from './change-details.js'

export type CommittedFile = NonNullable<Commit['files']>[number]

const CHANGE_STATES = { added: 'ok', modified: 'draft', removed: 'danger' } as const
const CHANGE_WORDS = { added: 'added', modified: 'changed', removed: 'removed' } as const

interface ChangedFilesProps {
  site: OneSite
  commit: Commit
}

export function ChangedFiles({ site, commit }: ChangedFilesProps) {
  const { files = [], fileCount = 0 } = commit
  // The files of `.pages/` belong to pages.
  const shown = files.filter(({ path }) => !path.startsWith('.pages/'))
  return (
    <>
      <FileGroups files={shown}>
        {(file) => (
          <>
            <Badge state={CHANGE_STATES[file.change]}>{CHANGE_WORDS[file.change]}</Badge>{' '}
            <FileName site={site} commit={commit} file={file} />
          </>
        )}
      </FileGroups>
      {shown.length === 0 && <p class="hint">Only what the service keeps about pages changed, such as a title.</p>}
      {fileCount > files.length && <p class="hint">and {formatCount(fileCount - files.length, 'more file')}</p>}
    </>
  )
}

/** A link to the version of the page, or to the file as the commit left it. */
function FileName({ site, commit, file }: ChangedFilesProps & { file: CommittedFile }) {
  const { path, change, page, url } = file
  const may = useMay()
  if (page !== null) return <VersionLink site={site} path={path} page={page} />
  if (url === null || change === 'removed' || !may('try')) return <code>{path}</code>
  return (
    <OpenInTab
      find={() => previewOfFile(site, commit, path, url)}
      label={`Open ${path} as of ${commit.subject}`}
      title="A preview that ends after minutes"
    >
      <code>{path}</code>
    </OpenInTab>
  )
}

/** Returns the URL of a preview of the file as a roll-back would publish it: also of a file that the site has removed since. */
async function previewOfFile(site: OneSite, commit: Commit, path: string, url: string): Promise<string> {
  const body = { path: `/${path}`, version: commit.id }
  const { dryRun } = dataOf(await siteApi(site).POST('/files/rollback', { params: { query: { dryRun: true } }, body }))
  if (dryRun?.previewUrl == null) throw new Error('This file is too large for a preview.')
  return new URL(new URL(url, location.href).pathname, dryRun.previewUrl).href
}

interface VersionLinkProps {
  site: OneSite
  path: string
  page: NonNullable<CommittedFile['page']>
}

/** A link to the history of the page that shows the changes of this version. */
function VersionLink({ site, path, page: { id, version } }: VersionLinkProps) {
  return (
    <a
      href={`/sites/${site.slug}/pages/${id}/history?from=${version - 1}&to=${version}`}
      title={`Version ${version} of the page`}
    >
      {pathOf(path)}
    </a>
  )
}

/** Returns the path of a page as people know it. */
export function pathOf(file: string): string {
  return `/${file}`.replace(/(?:\/index)?\.html$/, '') || '/'
}
