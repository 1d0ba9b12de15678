// One commit in the history of a site; opened, it shows its message and its files, and leads to the site as it was then.

import { useState } from 'preact/hooks'
import { api, type Commit, dataOf, type Site } from '../../api/client.js'
import { useLoaded } from '../../api/use-loaded.js'
import { formatCount } from '../../format.js'
import { Age } from '../../parts/age.js'
import { OpenPast } from '../../parts/open-past.js'
import { Await } from '../../parts/state.js'
import { Verified } from '../../parts/verified.js'

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
            <strong>{commit.subject}</strong>
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
            {files.map(({ path, change }) => (
              <li key={path}>
                <span class={`tag ${change}`}>{change}</span> <code>{path}</code>
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
