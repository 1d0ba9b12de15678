// `palimpsest clone`: clones a site over HTTP on a machine without git.

import type { Command } from 'commander'
import { formatBytes } from '../terminal/byte-count.js'
import { cell } from '../terminal/printable.js'
import { startStatus } from '../terminal/status.js'
import { fillFolder } from './empty-folder.js'
import { findSource } from './find-source.js'
import { httpClientFor } from './http-client.js'
import { makeWorkingCopy } from './working-copy.js'

/** The steps of isomorphic-git that a person sees. The service's own steps come among the bytes. */
const STEPS: Readonly<Record<string, string>> = {
  'Receiving objects': 'Indexes what came',
  'Resolving deltas': 'Indexes what came',
  'Updating workdir': 'Writes the files',
}

export function addClone(program: Command): void {
  program
    .command('clone')
    .argument('<url or site>', 'the clone URL of a site, its slug, or its id')
    .argument('[folder]', 'default: the slug of the site')
    .description('clone a site with its history, on a machine without git')
    .action(clone)
}

async function clone(named: string, folder: string | undefined): Promise<void> {
  const source = await findSource(named)
  const target = folder ?? source.slug
  const status = startStatus()
  try {
    const files = await fillFolder(target, () =>
      makeWorkingCopy(target, {
        url: source.url,
        headers: source.key === undefined ? {} : { Authorization: `Bearer ${source.key}` },
        http: httpClientFor(source, (bytes) => status.show('Receives', formatBytes(bytes))),
        onProgress({ phase, loaded, total }) {
          const step = STEPS[phase]
          if (step !== undefined) status.show(step, `${loaded} of ${total}`)
        },
      }),
    )
    status.close()
    console.log(
      `${source.slug} is in ${cell(target)}: ${files} files. A push asks for any user name, and the key as the password.`,
    )
  } catch (error) {
    status.close()
    throw error
  }
}
