// The options that a person chose last in the palette. This browser keeps them for each account.

import type { Me } from '../api/client.js'
import { keep, readKeptJson } from '../browser/storage.js'
import type { Option } from './option.js'

const MAX_KEPT = 8

/** A chosen option without what it does. */
export type Chosen = Omit<Option, 'run'>

export function readRecent(me: Me): readonly Chosen[] {
  return (readKeptJson(nameFor(me)) as Chosen[] | undefined) ?? []
}

export function keepRecent(me: Me, option: Option): void {
  // A function has no form in JSON, so `run` is left out.
  const chosen: Chosen = option
  const others = readRecent(me).filter(({ key }) => key !== chosen.key)
  keep(nameFor(me), JSON.stringify([chosen, ...others].slice(0, MAX_KEPT)))
}

function nameFor({ person, key, workspace }: Me): string {
  return `recent ${workspace.id} ${person?.id ?? key.id}`
}
