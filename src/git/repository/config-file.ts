// A repository's `config`: the settings that durability and a linear history depend on (git-config).

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runGitSync } from '../command.js'
import { RepositoryInvalid } from '../objects/errors.js'
import { toleratedSettings } from '../tolerated-faults.js'
import { MARK_SETTING } from './push-mark.js'

/** Required settings of a site's repository, by lower-case name. `core.fsync=all`, since git syncs next to nothing by default. */
const REQUIRED: readonly (readonly [name: string, value: string])[] = [
  ['core.bare', 'true'],
  ['core.fsync', 'all'],
  MARK_SETTING,
  ['core.logallrefupdates', 'true'],
  ['core.symlinks', 'false'],
  ['receive.fsckobjects', 'true'],
  ['receive.denynonfastforwards', 'true'],
  ['receive.denydeletes', 'true'],
  ['receive.autogc', 'false'],
  ['gc.auto', '0'],
  ...toleratedSettings('receive.fsck'),
  ...toleratedSettings('fsck'),
]

/**
 * The same for a repository that borrows objects. `git gc` drops an object that the lender has, reachable or not, unless all objects are
 * precious: then git itself removes none.
 */
const REQUIRED_OF_BORROWERS: typeof REQUIRED = [
  ...REQUIRED.filter((row) => row !== MARK_SETTING),
  ['core.repositoryformatversion', '1'],
  ['extensions.preciousobjects', 'true'],
]

/** Returns the text of a new repository's config. */
export function formatConfig(hooksPath: string, isBorrower = false): string {
  return `[core]
\trepositoryformatversion = ${isBorrower ? 1 : 0}
\tfilemode = true
\tbare = true
\tsymlinks = false
\tlogAllRefUpdates = true
\tfsync = all
${isBorrower ? '' : `\talternateRefsCommand = ${MARK_SETTING[1]}\n`}\thooksPath = ${quote(hooksPath)}
[receive]
\tfsckObjects = true
\tdenyNonFastForwards = true
\tdenyDeletes = true
\tautogc = false
[gc]
\tauto = 0
${isBorrower ? '[extensions]\n\tpreciousObjects = true\n' : ''}[receive "fsck"]
${linesOf(toleratedSettings('receive.fsck'))}
[fsck]
${linesOf(toleratedSettings('fsck'))}
`
}

function linesOf(settings: readonly (readonly [name: string, value: string])[]): string {
  return settings.map(([name, value]) => `\t${name.slice(name.lastIndexOf('.') + 1)} = ${value}`).join('\n')
}

/**
 * Reads every setting by lower-case name (`section.key`, `section.sub.key`); of a repeated name the last value.
 * Throws RepositoryInvalid.
 */
export function readConfig(gitdir: string): Map<string, string> {
  let text: string
  try {
    text = readFileSync(join(gitdir, 'config'), 'utf8')
  } catch (error) {
    throw new RepositoryInvalid(`the repository's config cannot be read: ${String(error)}`)
  }
  const settings = new Map<string, string>()
  let section = ''
  // A backslash at its end continues a line.
  for (const line of text
    .replace(/^\ufeff/, '')
    .replaceAll(/\\\r?\n/g, '')
    .split('\n')) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(line)
    if (header !== null) section = [header[1]?.toLowerCase(), header[2]].filter((part) => part !== undefined).join('.')
    const body = header === null ? line : line.slice(header[0].length)
    if (/^\s*(?:[#;].*)?$/.test(body)) continue
    const setting = /^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?)\s*|[#;].*)?$/.exec(body)
    if (setting === null || section === '')
      throw new RepositoryInvalid('the repository has a config that git cannot read')
    settings.set(`${section}.${setting[1]?.toLowerCase()}`, unquote(setting[2] ?? 'true'))
  }
  return settings
}

/** Returns the settings that differ from the required value, with that value. */
export function findChangedSettings(
  settings: ReadonlyMap<string, string>,
  hooksPath: string,
  isBorrower = false,
): (readonly [name: string, value: string])[] {
  const required = [...(isBorrower ? REQUIRED_OF_BORROWERS : REQUIRED), ['core.hookspath', hooksPath] as const]
  return required.filter(([name, value]) => settings.get(name) !== value)
}

/** Restores settings that were changed, with `git config`. Starts no process if all are right. */
export function repairConfig(
  gitdir: string,
  settings: ReadonlyMap<string, string>,
  hooksPath: string,
  isBorrower = false,
): void {
  for (const [name, value] of findChangedSettings(settings, hooksPath, isBorrower)) {
    runGitSync(gitdir, ['config', '--file', join(gitdir, 'config'), '--replace-all', name, value])
  }
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, '\\$&')}"`
}

function unquote(value: string): string {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(value)
  if (quoted !== null) return (quoted[1] ?? '').replace(/\\(.)/g, '$1')
  return value.replace(/\s*[#;].*$/, '')
}
