// The settings of a site: the list of their parts, and the shown one. Each part has an address of its own.

import type { ComponentChildren } from 'preact'
import { api, dataOf, type Me, type Site } from '../../api/client.js'
import { useTitle } from '../../browser/title.js'
import { nameOfSite } from '../../format.js'
import { Icon } from '../../parts/icons.js'
import { notify, notifyFailure } from '../../parts/overlays/notices.js'
import { NothingHere } from '../../parts/states/empty-state.js'
import { DangerPart } from './danger.js'
import { DomainsPart } from './domains.js'
import { GeneralPart } from './general.js'
import { GitPart } from './git/git.js'
import { type PartOfSettings, partsFor, type SettingsPart } from './parts.js'
import { PeoplePart } from './people.js'
import { ProgramsPart } from './programs.js'
import { ProtectionPart } from './protection/protection.js'
import { VisitorsPart } from './visitors.js'

/** The body of `PATCH /sites/{id}`. */
export interface SiteChange {
  isDefault?: true
  name?: string | null
  publicHistory?: boolean
  markdown?: boolean
  search?: boolean
  publicRepository?: boolean
  guestComments?: boolean
}

export interface PartProps {
  site: Site
  me: Me
  /** Saves a setting, and says so. */
  update: (change: SiteChange) => Promise<void>
  /** Shows the changed site instead of the loaded one. */
  onChanged: (site: Site) => void
}

const SHOW: Readonly<Record<SettingsPart, (props: PartProps) => ComponentChildren>> = {
  general: (props) => <GeneralPart {...props} />,
  visitors: (props) => <VisitorsPart {...props} />,
  protection: (props) => <ProtectionPart {...props} />,
  people: (props) => <PeoplePart {...props} />,
  git: (props) => <GitPart {...props} />,
  programs: (props) => <ProgramsPart {...props} />,
  domains: (props) => <DomainsPart {...props} />,
  danger: (props) => <DangerPart {...props} />,
}

interface SettingsScreenProps {
  site: Site
  me: Me
  /** The last part of the address. Undefined at the settings themselves: a wide window shows the first part there, a phone the list. */
  part?: string
  onChanged: (site: Site) => void
}

export function SettingsScreen({ site, me, part, onChanged }: SettingsScreenProps) {
  const parts = partsFor(me)
  const shown = part === undefined ? parts[0] : parts.find((each) => each.part === part)
  useTitle(...(part === undefined || shown === undefined ? [] : [shown.label]), 'Settings', nameOfSite(site))
  if (shown === undefined) return <NothingHere title="There is no such part of the settings" />
  const root = `/sites/${site.slug}/settings`
  return (
    <div class={part === undefined ? 'settings at-list' : 'settings'}>
      <PartList root={root} parts={parts} shown={shown} />
      <div class="settings-part">
        <a class="to-list" href={root}>
          <Icon name="back" />
          Settings
        </a>
        <h2>{shown.label}</h2>
        {SHOW[shown.part]({ site, me, onChanged, update: updater(site, onChanged) })}
      </div>
    </div>
  )
}

/** Returns a function that saves a setting. */
function updater(site: Site, onChanged: (site: Site) => void): PartProps['update'] {
  return async (body) => {
    try {
      onChanged(dataOf(await api.PATCH('/sites/{id}', { params: { path: { id: site.id } }, body })))
      notify('The settings are saved.')
    } catch (error) {
      notifyFailure(error)
      // Resets the controls to the stored values.
      onChanged({ ...site })
    }
  }
}

interface PartListProps {
  root: string
  parts: readonly PartOfSettings[]
  shown: PartOfSettings
}

function PartList({ root, parts, shown }: PartListProps) {
  return (
    <nav class="settings-list" aria-label="Settings">
      {parts.map(({ part, label, icon }) => (
        <a
          key={part}
          href={`${root}/${part}`}
          class={part === 'danger' ? 'risky' : undefined}
          aria-current={part === shown.part ? 'page' : undefined}
        >
          <Icon name={icon} />
          <span>{label}</span>
          <Icon name="next" />
        </a>
      ))}
    </nav>
  )
}
