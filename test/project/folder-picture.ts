// The picture of the import rules in docs/architecture.md: top-level folders, with an arrow for each import.

import { FOLDER_RULES } from './folder-rules.js'

const START = '<!-- drawn from test/project/folder-rules.ts by `npm run draw-folders` -->'
const END = '<!-- end of the drawing -->'

/** The document with its picture as the rules are now. Throws where the document has no marks. */
export function withPicture(document: string): string {
  const start = document.indexOf(START)
  const end = document.indexOf(END)
  if (start < 0 || end < start) throw new Error(`docs/architecture.md lacks "${START}" or "${END}"`)
  return `${document.slice(0, start + START.length)}\n\n${picture()}\n\n${document.slice(end)}`
}

/** Draws the arrows, without those implied by another way: `host → git` is implied by `host → store → git`. */
function picture(): string {
  const arrows = topLevelArrows()
  const lines = [...arrows].flatMap(([from, targets]) => {
    const implied = new Set([...targets].flatMap((target) => [...reachable(arrows, target)]))
    return [...targets].filter((target) => !implied.has(target)).map((target) => `  ${from} --> ${target}`)
  })
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n')
}

function topLevelArrows(): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>()
  for (const [folder, { knows }] of Object.entries(FOLDER_RULES)) {
    const from = topLevel(folder)
    const targets = arrows.get(from) ?? new Set()
    for (const name of knows) if (topLevel(name) !== from) targets.add(topLevel(name))
    arrows.set(from, targets)
  }
  return arrows
}

/** All that a folder reaches, itself left out. */
function reachable(arrows: ReadonlyMap<string, ReadonlySet<string>>, from: string): Set<string> {
  const found = new Set<string>()
  const visit = (node: string): void => {
    for (const next of arrows.get(node) ?? []) {
      if (found.has(next)) continue
      found.add(next)
      visit(next)
    }
  }
  visit(from)
  return found
}

function topLevel(folder: string): string {
  return folder.split('/', 1)[0] as string
}
