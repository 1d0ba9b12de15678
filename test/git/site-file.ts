// Commits that change `.site.json` and nothing else, of any kind that a tree can hold.

import { git } from '../support/git.js'
import { gitOid } from './scratch-repository.js'

/** The file as the service writes it. */
export function siteFileOf(siteId: string): string {
  return `{"format":1,"id":"${siteId}"}\n`
}

/** Files `.site.json` that do not name the site, by their fault; undefined for no file. */
export const WRONG_SITE_FILES: Readonly<Record<string, WrongSiteFile>> = {
  'nothing at all': () => undefined,
  "another site's id": (folder) => blob(folder, siteFileOf('3f2a9c1e-5b7d-4e0a-9c1f-2d4b6a8c0e13')),
  'the id in capital letters': (folder, siteId) => blob(folder, siteFileOf(siteId.toUpperCase())),
  'no JSON': (folder) => blob(folder, 'no JSON'),
  'an empty file': (folder) => blob(folder, ''),
  'a symbolic link with the right text': (folder, siteId) => blob(folder, siteFileOf(siteId), '120000'),
  'a folder': (folder, siteId) => `040000 tree ${treeOf(folder, [`${blob(folder, siteFileOf(siteId))}\t.site.json`])}`,
  'a commit': (folder) => `160000 commit ${git(folder, 'rev-parse', 'main')}`,
}

type WrongSiteFile = (folder: string, siteId: string) => string | undefined

/** Stores a blob, and returns its entry as `git ls-tree` prints it, without the name. */
export function blob(folder: string, text: string, mode = '100644'): string {
  return `${mode} blob ${gitOid(folder, text, 'hash-object', '-w', '--stdin')}`
}

/** A commit on `parent` with this entry for `.site.json`, or without one. */
export function commitSiteFile(folder: string, parent: string, entry: string | undefined): string {
  const others = git(folder, 'ls-tree', parent)
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith('\t.site.json'))
  const tree = treeOf(folder, entry === undefined ? others : [...others, `${entry}\t.site.json`])
  return gitOid(folder, 'Change the site file\n', 'commit-tree', tree, '-p', parent)
}

function treeOf(folder: string, lines: readonly string[]): string {
  return gitOid(folder, lines.map((line) => `${line}\n`).join(''), 'mktree')
}
