// The tags of a site, loaded when the list is opened. They are set with git.

import { useState } from 'preact/hooks'
import { api, type Site, type Tag } from '../../api/client.js'
import { useList } from '../../api/use-list.js'
import { Age } from '../../parts/states/age.js'
import { Table } from '../../parts/lists/table.js'
import { OpenPast } from '../../parts/controls/open-past.js'
import { AwaitList } from '../../parts/states/await.js'
import { Command } from '../../parts/states/command.js'
import { Disclosure } from '../../parts/states/disclosure.js'

export function SiteTags({ site }: { site: Site }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Disclosure title="Tags" class="site-tags" onToggle={setOpen}>
      {isOpen && <TagList site={site} />}
    </Disclosure>
  )
}

function TagList({ site }: { site: Site }) {
  const tags = useList<Tag>(`tags of ${site.id}`, (cursor, signal) =>
    api.GET('/sites/{id}/tags', { params: { path: { id: site.id }, query: cursor }, signal }),
  )
  const toRow = ({ name, oid, commit, author, message, createdAt }: Tag) => ({
    key: name,
    cells: [
      name,
      <code>{(commit ?? oid).slice(0, 10)}</code>,
      author ?? '–',
      createdAt === null ? '–' : <Age of={createdAt} />,
      <span class="message">{message ?? '–'}</span>,
    ],
    actions: commit !== null && <OpenPast site={site} commit={commit} label={`Open the site as of the tag ${name}`} />,
  })
  return (
    <AwaitList of={tags} moreLabel="More tags" empty={<NoTags />}>
      {(entries) => (
        <Table
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
