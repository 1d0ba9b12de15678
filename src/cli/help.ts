// The list of commands, and below it examples, what commands mean here, and where to read on.

import { styleText } from 'node:util'
import { Command, type HelpConfiguration } from 'commander'
import { apiBaseUrl, findApiKey, sourceOfKey } from './connection/credentials.js'
import { findLinkedSite } from './connection/linked-site.js'
import { cell } from './terminal/printable.js'

/** The colour is taken away again where the output has none. */
const heading = (text: string) => styleText('bold', text, { validateStream: false })

export const HELP: HelpConfiguration = {
  showGlobalOptions: false,
  subcommandTerm: termOf,
  styleTitle: heading,
}

export function helpCommand(): Command {
  return new Command('help').argument('[name]').description('show the options of a command').helpGroup('Set up:')
}

/** Leaves out words that say the same of nearly every command. */
function termOf(command: Command): string {
  return `${command.name()} ${command.usage().replaceAll(/\[(?:options|command)\] ?/g, '')}`.trim()
}

export function helpOfHere(): string {
  const service = attempt(() => apiBaseUrl(process.env))
  const here = [
    ['service', `${service} (PALIMPSEST_URL${process.env['PALIMPSEST_URL'] ? '' : ' names another'})`],
    ['key', attempt(() => keyOf(service))],
    ['site', attempt(siteHere)],
  ]
  return `
${heading('Examples:')}
  palimpsest link club                          # commands in this folder mean the site club
  palimpsest publish dist --delete --dry-run    # what would change, with a preview
  palimpsest publish dist --delete
  palimpsest undo

${heading('Here:')}
${here.map(([name = '', value = '']) => `  ${name.padEnd(9)}${cell(value)}`).join('\n')}

${heading('Learn more:')}
  palimpsest help publish                       # its options; so for each command
  ${`${service}/docs`.padEnd(46)}# the API, to try in the browser`
}

function keyOf(service: string): string {
  const isSet = findApiKey(process.env, service) !== undefined
  return isSet ? `in ${sourceOfKey(process.env)}` : 'none: "palimpsest login" stores one'
}

function siteHere(): string {
  const linked = findLinkedSite('.')
  return linked === undefined ? 'none: "palimpsest link <site>" chooses one' : `${linked.slug} (${linked.file})`
}

/** Help is shown whatever is set wrongly: it then says what. */
function attempt(find: () => string): string {
  try {
    return find()
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
