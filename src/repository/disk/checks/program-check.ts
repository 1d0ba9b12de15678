// Finds programs that a copied repository brings along: git runs them as the person who pushes.

import { accessSync, constants, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { MARK_SETTING } from '../../../git/repository/push-mark.js'
import { SITE_HOOKS } from '../../hooks/site-hooks.js'
import { REMEDY, type Trouble } from '../../protocol/trouble.js'

/** Settings that name a command, or a file with more settings (git-config), by lower-case name. */
const COMMANDS = [
  /^core\.(?:alternaterefscommand|askpass|editor|fsmonitor|gitproxy|pager|sshcommand)$/,
  /^include(?:if\..*)?\.path$/,
  /^gpg\.(?:.*\.)?program$/,
  /^diff\.(?:external|.*\.(?:command|textconv))$/,
  /^filter\..*\.(?:clean|smudge|process)$/,
  /^merge\..*\.driver$/,
  /^remote\..*\.(?:uploadpack|receivepack)$/,
]

export function checkPrograms(gitdir: string, settings: ReadonlyMap<string, string>): Trouble[] {
  const hooks = foreignHooks(join(gitdir, 'hooks')).map((name) => `the hook ${name}`)
  const commands = [...settings]
    .filter(([name, value]) => COMMANDS.some((form) => form.test(name)) && !isOwn(name, value))
    .map(([name]) => `the setting ${name}`)
  return [...hooks, ...commands].map((program) => ({
    kind: 'repository',
    subject: program,
    what: `${program} runs a program that the service did not put there`,
    remedy: REMEDY.programs,
  }))
}

function isOwn(name: string, value: string): boolean {
  return name === MARK_SETTING[0] && value === MARK_SETTING[1]
}

/** Lists executable files in the folder of the hooks, without git's own samples, which never run. */
function foreignHooks(folder: string): string[] {
  return namesIn(folder).filter(
    (name) => !(name in SITE_HOOKS) && !/^\.|\.sample$/.test(name) && isExecutable(join(folder, name)),
  )
}

/** Returns no names if the folder is missing: the service makes it again, or the check of folders names it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
