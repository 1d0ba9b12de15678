// One commit in the history of a site; opened, it shows its message and its files, and leads to the versions of pages that it made
// and to the site as it was then.

import { useState } from 'preact/hooks'
import { api, type Commit, dataOf, type Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatCount } from '../../format.js'
import { Age } from '../../parts/age.js'
import { OpenPast } from '../../parts/open-past.js'
import { Await } from '../../parts/state.js'
import { Verified } from '../../parts/verified.js'

/** Named on one commit. */
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
          {isOpen && <CommitDetails site={site} id={commit.id} />}
        </details>
        <span class="hint">
          {commit.author}, <Age of={commit.createdAt} />
        </span>
        <Verified of={commit.verified} />
        <code class="hint wide-only">{commit.id.slice(0, 10)}</code>
        {commit.parent !== null && (
          <button type="button" aria-label={`Revert ${commit.subject}`} onClick={onRevert}>
            Revert
          </button>
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

interface VersionLinkProps {
  site: Site
  path: string
  page: NonNullable<NonNullable<Commit['files']>[number]['page']>
}

/** Leads to the history of the page, and shows what this version changed. */
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

function CommitDetails({ site, id }: { site: Site; id: string }) {
  const commit = useLoaded<Commit>(`commit ${id}`, async (signal) =>
    dataOf(await api.GET('/sites/{id}/commits/{oid}', { params: { path: { id: site.id, oid: id } }, signal })),
  )
  return (
    <Await of={commit}>
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
            {files.map(({ path, change, page }) => (
              <li key={path}>
                <span class={`tag ${change}`}>{change}</span>{' '}
                {page === null ? <code>{path}</code> : <VersionLink site={site} path={path} page={page} />}
              </li>
            ))}
          </ul>
          {fileCount > files.length && <p class="hint">and {formatCount(fileCount - files.length, 'more file')}</p>}
          <p>
            <OpenPast site={site} commit={id} label={`Open the site as of ${subject}`} />
          </p>
        </>
      )}
    </Await>
  )
}
