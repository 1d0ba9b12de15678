// `palimpsest signing`: the key that signs the service's commits.

import { type Command, InvalidArgumentError } from 'commander'
import { rotateKey } from '../../store/disk/signing-key.js'
import { withOffline } from './offline.js'

export function addSigning(program: Command): void {
  program
    .command('signing')
    .description('the key that signs the commits of the service')
    .command('rotate')
    .description('make a new key; a running service signs with it from its next commit on')
    .option(
      '--compromised-since <time>',
      'the key before counts for commits until then, such as 2027-01-31T00:00:00Z (default: until now)',
      parseTime,
    )
    .action(rotate)
}

async function rotate({ compromisedSince }: { compromisedSince?: number }): Promise<void> {
  await withOffline(async ({ config, clock }) => {
    const now = () => Math.floor(clock().getTime() / 1000)
    const { hadKey, publicKey } = rotateKey(config.dataDir, now, compromisedSince)
    console.log(`The service signs with ${publicKey}`)
    if (hadKey && compromisedSince !== undefined)
      console.log("Commits that it signed since then count as nobody's once the index is rebuilt: palimpsest reindex")
  })
}

function parseTime(text: string): number {
  const time = Date.parse(text)
  if (!/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || Number.isNaN(time))
    throw new InvalidArgumentError('Give a time such as 2027-01-31T00:00:00Z.')
  if (time > Date.now()) throw new InvalidArgumentError('Give a time that has passed.')
  return Math.floor(time / 1000)
}
