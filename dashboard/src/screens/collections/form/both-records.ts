// Two changes of one record: what both keep, and the places that both changed differently.

import { isSame } from '../fields/check.js'
import { isObject, type JsonObject, type Path } from '../fields/field.js'
import { withValueAt } from '../fields/values.js'

export interface Clash {
  path: Path
  theirs: unknown
  mine: unknown
}

export interface Both {
  /** The record with all that does not clash; at a clash it has their value. */
  data: JsonObject
  clashes: readonly Clash[]
}

/** `base` is the record that both began with. A list is one value. */
export function bothOf(base: JsonObject, mine: JsonObject, theirs: JsonObject): Both {
  const clashes: Clash[] = []
  const merge = (was: JsonObject, own: JsonObject, other: JsonObject, around: Path): JsonObject => {
    const merged: JsonObject = {}
    for (const name of new Set([...Object.keys(other), ...Object.keys(own)])) {
      const path = [...around, name]
      const [before, mineNow, theirsNow] = [was[name], own[name], other[name]]
      const isTheirs = isSame(mineNow, before) || isSame(mineNow, theirsNow)
      let value = isTheirs ? theirsNow : mineNow
      if (!isTheirs && !isSame(theirsNow, before)) {
        if (isObject(mineNow) && isObject(theirsNow)) {
          value = merge(isObject(before) ? before : {}, mineNow, theirsNow, path)
        } else {
          clashes.push({ path, theirs: theirsNow, mine: mineNow })
          value = theirsNow
        }
      }
      if (value !== undefined) merged[name] = value
    }
    return merged
  }
  return { data: merge(base, mine, theirs, []), clashes }
}

/** Returns the record with my values at the chosen clashes. */
export function withMine({ data, clashes }: Both, isMine: (clash: Clash) => boolean): JsonObject {
  return clashes.filter(isMine).reduce((record, { path, mine }) => withValueAt(record, path, mine), data)
}
