// One commit in the history of a site. When opened, it shows its message and its files. It links to the page versions that it made,
// to its other files, and to the site at that time.

import { useState } from 'preact/hooks'
import { api, type Commit, dataOf, type Site, siteApi } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatCount } from '../../format.js'
import { Age } from '../../parts/age.js'
import { Allowed, useMay } from '../../parts/allowed.js'
import { OpenInTab } from '../../parts/open-in-tab.js'
import { LINK_HINT, OpenPast } from '../../parts/open-past.js'
import { Await } from '../../parts/state.js'
import { Verified } from '../../parts/verified.js'

/** Tags shown for one commit. */
const MAX_TAGS = 5

interface CommitEntryProps {
  site: Site
  commit: Commit
  onRevert: () => void
}

export function CommitEntry({ site, commit, onRevert }: CommitEntryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li class="panel">
      <div class="bar">
        <details class="grow" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            <strong>{commit.subject}</strong> <TagNames of={commit.tags} />
          </summary>
          {isOpen && <CommitDetails site={site} commit={commit} />}
        </details>
        <span class="hint">
          {commit.author}, <Age of={commit.createdAt} />
        </span>
        <Verified of={commit.verified} />
        <code class="hint wide-only">{commit.id.slice(0, 10)}</code>
        {commit.parent !== null && (
          <Allowed to="write">
            <button type="button" aria-label={`Revert ${commit.subject}`} onClick={onRevert}>
              Revert
            </button>
          </Allowed>
        )}
      </div>
    </li>
  )
}

function TagNames({ of }: { of: Commit['tags'] }) {
  return (
    <>
      {of.slice(0, MAX_TAGS).map((name) => (
        <span key={name} class="tag" title={`Tag ${name}`}>
          {name}
        </span>
      ))}
      {of.length > MAX_TAGS && <span class="hint"> and {formatCount(of.length - MAX_TAGS, 'more tag')}</span>}
    </>
  )
}

type CommittedFile = NonNullable<Commit['files']>[number]

/** A link to the version of the page, or to the file as the commit left it. */
function FileName({ site, commit, file }: { site: Site; commit: Commit; file: CommittedFile }) {
  const { path, change, page, url } = file
  const may = useMay()
  if (page !== null) return <VersionLink site={site} path={path} page={page} />
  if (url === null || change === 'removed' || !may('try')) return <code>{path}</code>
  return (
    <OpenInTab
      find={() => previewOfFile(site, commit, file)}
      label={`Open ${path} as of ${commit.subject}`}
      title="A preview that ends after minutes"
    >
      <code>{path}</code>
    </OpenInTab>
  )
}

/** Returns the URL of a preview of the file as a roll-back would publish it: also of a file that the site has removed since. */
async function previewOfFile(site: Site, commit: Commit, { path, url }: CommittedFile): Promise<string> {
  const body = { path: `/${path}`, version: commit.id }
  const { dryRun } = dataOf(await siteApi(site).POST('/files/rollback', { params: { query: { dryRun: true } }, body }))
  if (dryRun?.previewUrl == null) throw new Error('This file is too large for a preview.')
  return new URL(new URL(url ?? '/', site.url).pathname, dryRun.previewUrl).href
}

interface VersionLinkProps {
  site: Site
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
      <code>{path}</code>
    </a>
  )
}

function CommitDetails({ site, commit }: { site: Site; commit: Commit }) {
  const { id } = commit
  const loaded = useLoaded<Commit>(`commit ${id}`, async (signal) =>
    dataOf(await api.GET('/sites/{id}/commits/{oid}', { params: { path: { id: site.id, oid: id } }, signal })),
  )
  return (
    <Await of={loaded}>
      {({ files = [], fileCount = 0, message, push, subject }) => (
        <>
          {push !== null && (
            <p class="hint">
              Pushed by {push.author}, <Age of={push.createdAt} />
              {push.message !== null && `: ${push.message}`}
            </p>
          )}
          {message !== subject && <p class="message">{message.slice(subject.length).trim()}</p>}
          <ul class="files">
            {files.map((file) => (
              <li key={file.path}>
                <span class={`tag ${file.change}`}>{file.change}</span>{' '}
                <FileName site={site} commit={commit} file={file} />
              </li>
            ))}
          </ul>
          {fileCount > files.length && <p class="hint">and {formatCount(fileCount - files.length, 'more file')}</p>}
          <Allowed to="write">
            <p>
              <OpenPast site={site} commit={id} label={`Open the site as of ${subject}`} />{' '}
              <span class="hint">{LINK_HINT}</span>
            </p>
          </Allowed>
        </>
      )}
    </Await>
  )
}
