// Holds one file's imports against the rules.

import { ENTRIES_FILE, FOLDER_RULES } from './folder-rules.js'
import { readImports } from './read-imports.js'
import { folderOf, targetOf } from './source-files.js'

/** Whether a folder may import another one: its own it always may. */
export function isAllowed(from: string, to: string): boolean {
  if (from === to) return true
  const knows = FOLDER_RULES[from]?.knows ?? []
  return knows.some((name) => name === to || (name.endsWith('/*') && `${to}/`.startsWith(name.slice(0, -1))))
}

/** Why imports of the file are refused, a sentence each; none where all of them are allowed. */
export function judgeImports(file: string, text: string): string[] {
  const from = folderOf(file)
  const rule = FOLDER_RULES[from]
  if (rule === undefined) return [`${from} has no row in test/project/folder-rules.ts`]
  return readImports(file, text).flatMap(({ specifier, form }) => {
    const target = targetOf(file, specifier)
    if (target === null)
      return form === 'url' || isKnownPackage(rule.packages, specifier) ? [] : [`${file} imports ${specifier}`]
    if (form === 'url')
      return file === ENTRIES_FILE
        ? []
        : [`${file} names ${target} by URL: entries of threads are named in ${ENTRIES_FILE}`]
    const to = folderOf(target)
    return isAllowed(from, to) ? [] : [`${file} imports ${target}: ${from} may not know ${to}`]
  })
}

function isKnownPackage(packages: readonly string[], specifier: string): boolean {
  return specifier.startsWith('node:') || packages.includes(packageOf(specifier))
}

/** `ajv` of `ajv/dist/2020.js`, `@koa/router` of `@koa/router`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}
