// Names of sites and pages for the completion in a shell, which asks for them as a person types. Prints nothing where it cannot tell them soon.

import type { Command } from 'commander'
import { dataOf } from '../protocols/client/client.js'
import { connect, connectToWorkspace } from './connection/connection.js'

/** A person waits for this: the shell shows nothing else meanwhile. */
const MAX_WAIT_MS = 2000
const MAX_NAMES = 200
/** Shells take other characters as their own syntax, and anyone may name a page. */
const PLAIN = /^[\p{L}\p{M}\p{N}/._~@%+,-]+$/u

/** The words of the command line that name a place. */
interface Typed {
  site?: string
  workspace?: string
}

export const COMPLETE_NAMES = '__names'

export function addCompleteNames(program: Command): void {
  program
    .command(`${COMPLETE_NAMES} <kind> [typed...]`, { hidden: true })
    .allowUnknownOption()
    .action(async (kind: string, typed: string[]) => {
      // Whatever is wrong, the command itself will say it.
      const names = await Promise.race([findNames(kind, typed), giveUp()]).catch(() => [])
      process.stdout.write(
        names
          .filter((name) => PLAIN.test(name))
          .map((name) => `${name}\n`)
          .join(''),
        () =>
          // A request may still be under way.
          process.exit(0),
      )
    })
}

async function findNames(kind: string, typed: readonly string[]): Promise<string[]> {
  const options = { ...wordAfter('--site', typed), ...wordAfter('--workspace', typed) }
  const query = { limit: MAX_NAMES }
  if (kind === 'sites') {
    const sites = dataOf(await (await connectToWorkspace(options)).GET('/sites', { params: { query } }))
    return sites.map(({ slug }) => slug)
  }
  const { client } = await connect(options)
  const prefix = typed.at(-1) ?? ''
  const pages = dataOf(
    await client.GET('/pages', { params: { query: { ...query, ...(prefix !== '' && { prefix }) } } }),
  )
  return pages.map(({ path }) => path)
}

async function giveUp(): Promise<string[]> {
  return await new Promise((resolve) => setTimeout(resolve, MAX_WAIT_MS, []))
}

function wordAfter(option: '--site' | '--workspace', typed: readonly string[]): Typed {
  const at = typed.indexOf(option)
  const word = at < 0 || at === typed.length - 1 ? undefined : typed[at + 1]
  return word === undefined ? {} : { [option.slice(2)]: word }
}
