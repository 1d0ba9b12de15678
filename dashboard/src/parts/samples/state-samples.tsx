// States on the page of parts: badges, people, nothing, waiting and failing.

import { Button } from '../controls/button.js'
import { Avatar } from '../states/avatar.js'
import { Badge } from '../states/badge.js'
import { Command } from '../states/command.js'
import { Disclosure } from '../states/disclosure.js'
import { EmptyState } from '../states/empty-state.js'
import { ErrorNotice } from '../states/error-notice.js'
import { Skeleton } from '../states/skeleton.js'
import { Sample } from './sample.js'

const NAMES = ['Grace Hopper', 'Ada', 'Иван Петров', 'محمد علي', '王小明']

export function StateSamples() {
  return (
    <>
      <Sample of="Badge">
        <Badge state="ok" isDotted>
          Published
        </Badge>
        <Badge state="draft" isDotted>
          Draft
        </Badge>
        <Badge isDotted>Off</Badge>
        <Badge state="danger">Removed</Badge>
        <Badge state="info">Agent</Badge>
      </Sample>
      <Sample of="Avatar">
        {NAMES.map((name) => (
          <Avatar key={name} name={name} />
        ))}
        <Avatar name="Claude" isAgent />
        <Avatar name="CI" isKey />
        <Avatar name="Grace Hopper" isLarge />
      </Sample>
      <Sample of="Disclosure">
        <Disclosure title="Closed">Its content.</Disclosure>
        <Disclosure title="Open" isOpen>
          Its content.
        </Disclosure>
      </Sample>
      <Sample of="EmptyState">
        <div class="grow">
          <EmptyState
            title="No pages yet"
            icon="page"
            action={<Button kind="main">Write a page</Button>}
            command={`palimpsest publish ${'a-folder-with-a-long-name/'.repeat(4)} --site demo`}
          >
            <p>A page is live as soon as it is published.</p>
          </EmptyState>
        </div>
      </Sample>
      <Sample of="Skeleton">
        <div class="grow short">
          <Skeleton lines={3} />
        </div>
      </Sample>
      <Sample of="ErrorNotice">
        <div class="grow">
          <ErrorNotice error={new Error('The service cannot be reached.')} onRetry={() => undefined} />
        </div>
      </Sample>
      <Sample of="Command line">
        <Command text="pal_0123456789" label="The key" />
      </Sample>
    </>
  )
}
