// Says that there is nothing yet, and how to make the first one; or that an address leads nowhere.

import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { OpenSearch } from '../../browser/open-search.js'
import { useTitle } from '../../browser/title.js'
import { Button } from '../controls/button.js'
import { Icon, type IconName } from '../icons.js'
import { Command } from './command.js'

interface EmptyStateProps {
  title: string
  icon?: IconName
  /** The one thing to do, as a button or a link. */
  action?: ComponentChildren
  /** A shell command that does the same as the screen. */
  command?: string
  /** A sentence or two. */
  children?: ComponentChildren
}

export function EmptyState({ title, icon = 'nothing', action, command, children }: EmptyStateProps) {
  return (
    <div class="empty panel">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
      {action}
      {command !== undefined && <Command text={command} />}
    </div>
  )
}

/** The screen of an address that leads nowhere. */
export function NothingHere({ title }: { title: string }) {
  useTitle('Not found')
  return (
    <div class="empty panel">
      <Icon name="search" />
      <h1>{title}</h1>
      <p class="bar">
        <a href="/">All sites</a>
        <Button kind="quiet" icon="search" onClick={useContext(OpenSearch)}>
          Search for it
        </Button>
      </p>
    </div>
  )
}
