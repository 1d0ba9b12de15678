// Checks which pushed tags are allowed, and moves them with git itself, so that names, locks and packed refs are left to git.

import { GitFailed, runGit } from '../../git/command.js'
import { type RefChange, ZERO_OID } from '../../git/objects/ref-change.js'
import type { GitPlace } from './judge/new-commits.js'

/** Returns the reasons against tags, by ref. `head` is the coming main. */
export async function refuseTags(
  place: GitPlace,
  updates: readonly RefChange[],
  head: string,
): Promise<Map<string, string>> {
  const refusals = new Map<string, string>()
  for (const { ref, after } of updates) {
    const reason = after === null ? undefined : await whyNot(place, ref, after, head)
    if (reason !== undefined) refusals.set(ref, reason)
  }
  return refusals
}

async function whyNot({ gitdir, quarantine }: GitPlace, ref: string, oid: string, head: string) {
  const ask = async (...args: string[]) => {
    const options = quarantine === undefined ? {} : { newObjects: quarantine }
    const output = await runGit(gitdir, args, options).catch((error: unknown) => {
      if (error instanceof GitFailed && error.exitCode !== undefined) return undefined
      throw error
    })
    return output?.toString().trim()
  }
  const hasGoodName = ref.length <= 255 && (await ask('check-ref-format', ref)) !== undefined
  if (!hasGoodName) return 'git takes no tag of this name'
  const commit = await ask('rev-parse', '--verify', '--quiet', `${oid}^{commit}`)
  if (commit === undefined) return 'a tag must name a commit'
  if (commit === head) return undefined
  // Finds the commit that follows it on main's first-parent history; none if it is not there.
  const listed = await ask('rev-list', '--first-parent', '--parents', `${commit}..${head}`)
  const [, parent] = listed?.split('\n').at(-1)?.split(' ') ?? []
  return parent === commit ? undefined : "a tag must name a commit of main's first-parent history: push main first"
}

/** Moves the tags, all or none, durable when it resolves. Throws GitFailed with git's reason. */
export async function moveTags(gitdir: string, updates: readonly RefChange[]): Promise<void> {
  const lines = updates.map(({ ref, before, after }) =>
    after === null ? `delete ${ref} ${before ?? ZERO_OID}\n` : `update ${ref} ${after} ${before ?? ZERO_OID}\n`,
  )
  // The hook of the repository syncs the refs before git reports success.
  await runGit(gitdir, ['update-ref', '--stdin'], { input: [Buffer.from(lines.join(''))] })
}
