// The tags of a site, loaded when the list is opened. They are set with git.

import { useState } from 'preact/hooks'
import { api, type Site, type Tag } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { Age } from '../../parts/age.js'
import { DataTable } from '../../parts/data-table.js'
import { OpenPast } from '../../parts/open-past.js'
import { AwaitList, Command } from '../../parts/state.js'
import { Verified } from '../../parts/verified.js'

export function SiteTags({ site }: { site: Site }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section class="panel">
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>Tags</summary>
        {isOpen && <TagList site={site} />}
      </details>
    </section>
  )
}

function TagList({ site }: { site: Site }) {
  const tags = useList<Tag>(`tags of ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/tags', { params: { path: { id: site.id }, query: cursor }, signal }),
  )
  const toRow = ({ name, oid, commit, author, message, createdAt, verified }: Tag) => ({
    key: name,
    cells: [
      name,
      <code>{(commit ?? oid).slice(0, 10)}</code>,
      <>
        {author ?? '–'} <Verified of={verified} />
      </>,
      createdAt === null ? '–' : <Age of={createdAt} />,
      <span class="message">{message ?? '–'}</span>,
    ],
    actions: commit !== null && <OpenPast site={site} commit={commit} label={`Open the site as of the tag ${name}`} />,
  })
  return (
    <AwaitList of={tags} moreLabel="More tags" empty={<NoTags />}>
      {(entries) => (
        <DataTable
          label="Tags"
          columns={['Tag', 'Commit', 'Author', 'Time', 'Message']}
          headingAt={0}
          rows={entries.map(toRow)}
        />
      )}
    </AwaitList>
  )
}

function NoTags() {
  return (
    <>
      <p class="hint">There are no tags. A tag gives a commit a name that stays; set one in a clone of the site:</p>
      <Command text="git tag -a v1 -m 'What is in it' && git push origin v1" />
    </>
  )
}
