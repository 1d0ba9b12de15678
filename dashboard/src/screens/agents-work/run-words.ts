// Says in a person's words what a run did: “added 3 pages and changed 1 page”.

import { wordsOfChange } from '../../../../src/model/change-words.js'
import type { AgentRun } from '../../api/client.js'
import { formatCount } from '../../format.js'

export function wordsOfRun({ commits, commitCount, files }: AgentRun): string {
  const pages = pagesIn(commits.map(({ subject }) => subject))
  if (commitCount === 1 && commits[0] && pages !== undefined) return wordsOfChange(commits[0].subject)
  if (commitCount === commits.length && pages !== undefined) return listed(pages, 'page')
  if (files !== null) return listed([files.added, files.modified, files.removed], 'file')
  return `made ${formatCount(commitCount, 'change')}`
}

type Counts = [added: number, changed: number, removed: number]

function listed([added, changed, removed]: Counts, noun: string): string {
  const parts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ] as const
  const told = parts.filter(([count]) => count > 0).map(([count, verb]) => `${verb} ${formatCount(count, noun)}`)
  return told.length === 0 ? 'changed settings of pages' : told.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

/** Counts pages, where the subjects tell of pages alone. A page that was added and changed counts once. */
function pagesIn(subjects: readonly string[]): Counts | undefined {
  const ways = new Map<string, string>()
  // The newest comes first: an older one that added the page counts more.
  for (const subject of subjects) {
    const [, way = '', path = ''] = /^(Publish|Replace|Unpublish) (\/.*)$/.exec(subject) ?? []
    if (way === '') return undefined
    if (way === 'Publish' || !ways.has(path)) ways.set(path, way)
  }
  const count = (way: string) => [...ways.values()].filter((each) => each === way).length
  return [count('Publish'), count('Replace'), count('Unpublish')]
}
