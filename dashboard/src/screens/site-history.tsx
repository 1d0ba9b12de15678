// Every commit of a site, what it changed, and undoing one.

import { useState } from 'preact/hooks'
import { call, type Commit, list, type Listing, type Site, withQuery } from '../api.js'
import { formatAge, formatCount, formatTime } from '../format.js'
import { useLoaded } from '../load.js'
import { notify, notifyFailure } from '../parts/notices.js'
import { Await } from '../parts/state.js'

export function SiteHistoryScreen({ site }: { site: Site }) {
  const path = `/sites/${site.id}/commits`
  const commits = useLoaded<Listing<Commit>>(`commits ${site.id}`, (signal) => list(`${path}?limit=50`, { signal }))
  const revert = async (commit: Commit) => {
    try {
      const made = await call<Commit>('POST', `/sites/${site.id}/revert`, { body: { commit: commit.id } })
      commits.reload()
      if (made.changed === false) notify('There was nothing left to undo.')
      else notify(`“${commit.subject}” is undone.`, { label: 'Undo', run: () => void revert(made) })
    } catch (error) {
      notifyFailure(error)
    }
  }
  const more = async (before: Listing<Commit>) => {
    try {
      const slice = await list<Commit>(withQuery(path, { limit: '50', cursor: before.nextCursor ?? '' }))
      commits.put({ entries: [...before.entries, ...slice.entries], nextCursor: slice.nextCursor })
    } catch (error) {
      notifyFailure(error)
    }
  }
  return (
    <Await of={commits}>
      {(data) => (
        <>
          <ol class="commits">
            {data.entries.map((commit) => (
              <CommitEntry key={commit.id} site={site} commit={commit} onRevert={() => void revert(commit)} />
            ))}
          </ol>
          {data.nextCursor !== null && (
            <button type="button" onClick={() => void more(data)}>
              Older commits
            </button>
          )}
        </>
      )}
    </Await>
  )
}

interface EntryProps {
  site: Site
  commit: Commit
  onRevert: () => void
}

function CommitEntry({ site, commit, onRevert }: EntryProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li class="panel">
      <div class="bar">
        <details class="grow" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            <strong>{commit.subject}</strong>
          </summary>
          {isOpen && <CommitFiles site={site} id={commit.id} />}
        </details>
        <span class="hint">
          {commit.author},{' '}
          <time dateTime={commit.createdAt} title={formatTime(commit.createdAt)}>
            {formatAge(commit.createdAt)}
          </time>
        </span>
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

function CommitFiles({ site, id }: { site: Site; id: string }) {
  const commit = useLoaded<Commit>(`commit ${id}`, (signal) =>
    call('GET', `/sites/${site.id}/commits/${id}`, { signal }),
  )
  return (
    <Await of={commit}>
      {({ files = [], fileCount = 0, message, subject }) => (
        <>
          {message !== subject && <p class="message">{message.slice(subject.length).trim()}</p>}
          <ul class="files">
            {files.map(({ path, change }) => (
              <li key={path}>
                <span class={`tag ${change}`}>{change}</span> <code>{path}</code>
              </li>
            ))}
          </ul>
          {fileCount > files.length && <p class="hint">and {formatCount(fileCount - files.length, 'more file')}</p>}
        </>
      )}
    </Await>
  )
}
