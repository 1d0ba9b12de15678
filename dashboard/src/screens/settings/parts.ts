// The parts of the settings of a site, in their order, and who sees each.

import type { Me } from '../../api/client.js'
import type { IconName } from '../../parts/icons.js'

export type SettingsPart = 'general' | 'visitors' | 'protection' | 'people' | 'git' | 'programs' | 'domains' | 'danger'

export interface PartOfSettings {
  part: SettingsPart
  label: string
  icon: IconName
  /** Default: everybody who sees the site. */
  isFor?: (me: Me) => boolean
}

const PARTS: readonly PartOfSettings[] = [
  { part: 'general', label: 'General', icon: 'settings' },
  { part: 'visitors', label: 'Visitors', icon: 'view' },
  { part: 'protection', label: 'Protection', icon: 'lock' },
  { part: 'people', label: 'People', icon: 'people', isFor: manages },
  { part: 'git', label: 'Git', icon: 'branch' },
  { part: 'programs', label: 'For programs', icon: 'key' },
  { part: 'domains', label: 'Domains', icon: 'site' },
  { part: 'danger', label: 'Danger', icon: 'delete', isFor: manages },
]

export function partsFor(me: Me): readonly PartOfSettings[] {
  return PARTS.filter(({ isFor }) => isFor === undefined || isFor(me))
}

function manages({ scopes }: Me): boolean {
  return scopes.includes('admin')
}
