// `palimpsest link`: chooses the site that commands in a folder mean.

import type { Command } from 'commander'
import { connect } from '../connection/connection.js'
import { Unusable } from '../connection/unusable.js'
import { findLinkedSite, linkFolder } from '../connection/linked-site.js'
import { cell } from '../terminal/printable.js'

interface Options {
  workspace?: string
}

export function addLink(program: Command): void {
  program
    .command('link [site]')
    .summary('choose the site of this folder')
    .description('choose the site of this folder, by slug or id, for all commands in it; without a site: show it')
    .option('--workspace <name or id>', "default: the key's own")
    .action(link)
}

async function link(site: string | undefined, { workspace }: Options): Promise<void> {
  if (site === undefined) return showLink()
  const { named } = await connect({ site, ...(workspace !== undefined && { workspace }) })
  if (named === undefined) throw new Unusable('Name a site by its slug or id.')
  const file = linkFolder('.', named.slug)
  console.log(`Commands in this folder mean ${cell(named.slug)} (${cell(named.url)}) now: ${cell(file)}`)
}

/** Throws Unusable if there is none. */
function showLink(): void {
  const linked = findLinkedSite('.')
  if (linked === undefined) throw new Unusable('This folder has no site: "palimpsest link <site>" chooses one.')
  console.log(`${cell(linked.slug)} (${cell(linked.file)})`)
}
