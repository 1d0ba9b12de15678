// Merges texts line by line with `git merge-file`, many in one shell process. git 2.39 reads them only from files. These are in our
// folder of the repository, where the next start removes leftovers of a killed process.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { GitFailed, runGit } from '../../git/command.js'
import { dropTemporary } from '../../git/disk/drop-temporary.js'
import { makeScratch, scratchPath } from '../../git/disk/scratch.js'
import { newObject } from '../../git/objects/object.js'
import type { Oid } from '../../git/objects/oid.js'
import type { ObjectReader } from '../../git/storage/object-reader.js'
import { ServiceError } from '../../model/errors.js'
import { cutHtml } from './html-pieces.js'
import type { Sides } from './merge-entries.js'

/** The limit of one merger. Each text needs a git process of some milliseconds. */
const MAX_TEXTS = 500
const MAX_TEXT_BYTES = 16 * 1024 * 1024
/** The limits of one shell process: texts, and bytes of their versions, which the last text may exceed. */
const MAX_BATCH = 50
const MAX_BATCH_BYTES = 64 * 1024 * 1024
const MAX_BATCH_MS = 30_000
/** git treats a file as binary if its first bytes include a NUL (buffer_is_binary). */
const SNIFFED_BYTES = 8000
/** git merge-file exits with the number of conflicts, at most this; with a higher code if it cannot merge. */
const MAX_CONFLICTS_CODE = 127
/** The form of conflicts, whatever an operator has set (git-merge-file). */
const OWN_STYLE = ['-c', 'merge.conflictStyle=merge']
/** The sides in the order of the command's arguments; they are the labels of the conflict markers. */
const SIDES = ['ours', 'base', 'theirs'] as const

interface TextToMerge {
  oids: Sides<Oid>
  /** Whether it is HTML: where lines conflict, long ones are cut at their tags. */
  isHtml: boolean
}

/** `conflict` is the text with git's conflict markers, or undefined if the texts cannot be merged. */
export type MergedText = { oid: Oid } | { conflict: string | undefined }

export class TextMerger {
  /** The merged texts, which no repository holds yet. */
  readonly made = new Map<Oid, Buffer>()
  readonly #gitdir: string
  readonly #objects: Pick<ObjectReader, 'readBlobWithin'>
  #merges = 0

  constructor(gitdir: string, objects: Pick<ObjectReader, 'readBlobWithin'>) {
    this.#gitdir = resolve(gitdir)
    this.#objects = objects
  }

  /** Reads one version; undefined for a longer one. */
  read(oid: Oid, maxBytes: number): Buffer | undefined {
    const made = this.made.get(oid)
    if (made === undefined) return this.#objects.readBlobWithin(oid, maxBytes)
    return made.length <= maxBytes ? made : undefined
  }

  /** Adds a merged text. */
  keep(text: Buffer): Oid {
    const { oid } = newObject('blob', text)
    this.made.set(oid, text)
    return oid
  }

  /** Yields the results in order. Throws `too_costly` past 500 texts in all, and `site_busy` if git cannot merge now. */
  async *mergeEach<T extends TextToMerge>(texts: readonly T[]): AsyncGenerator<[text: T, merged: MergedText]> {
    this.#merges += texts.length
    if (this.#merges > MAX_TEXTS) throw tooMany(this.#merges)
    for (let start = 0; start < texts.length; ) {
      const folder = makeFolder(this.#gitdir)
      try {
        const batch = texts.slice(start, start + MAX_BATCH)
        const count = this.#writeBatch(folder, batch)
        const codes = await this.#run(folder, count)
        for (const [at, code] of codes.entries()) {
          const text = batch[at]!
          const merged = this.#take(join(folder, `${at}.ours`), code)
          yield [text, (text.isHtml && isConflict(merged) && (await this.#mergeTags(folder, text.oids))) || merged]
        }
        start += count
      } finally {
        await dropTemporary(folder)
      }
    }
  }

  /** Merges HTML of long lines tag by tag. Returns undefined if its lines are short, or if it conflicts like this too. */
  async #mergeTags(folder: string, oids: Sides<Oid>): Promise<MergedText | undefined> {
    const [ours, base, theirs] = SIDES.map((side) => this.read(oids[side], MAX_TEXT_BYTES))
    const cut = base && ours && theirs && cutHtml({ base, ours, theirs })
    if (cut === undefined) return undefined
    for (const side of SIDES) writeFileSync(join(folder, `tags.${side}`), cut.lines[side])
    const files = SIDES.map((side) => `tags.${side}`)
    const merged = await this.#git(['merge-file', '--quiet', '--stdout', ...files], folder)
    const html = merged && cut.join(merged.toString())
    return html && { oid: this.keep(html) }
  }

  /** Writes the files of the next texts, and returns how many it took. Writes no files for a text that cannot be merged. */
  #writeBatch(folder: string, texts: readonly TextToMerge[]): number {
    let bytes = 0
    for (const [at, { oids }] of texts.entries()) {
      if (bytes >= MAX_BATCH_BYTES) return at
      const versions = SIDES.map((side) => this.read(oids[side], MAX_TEXT_BYTES))
      if (!versions.every(isText)) continue
      for (const [index, version] of versions.entries()) {
        writeFileSync(join(folder, `${at}.${SIDES[index]}`), version)
        bytes += version.length
      }
    }
    return texts.length
  }

  /** Returns the exit code of each merge. The merged text is in the file of `ours`. */
  async #run(folder: string, count: number): Promise<number[]> {
    // An alias runs in the current folder (git-config, alias.*).
    const args = [...OWN_STYLE, '-c', `alias.merge-each=!${scriptFor(count)}`, 'merge-each']
    const printed = await this.#git(args, folder)
    if (printed === undefined) throw busy()
    return printed.toString().split('\n', count).map(Number)
  }

  /** Returns what git printed; undefined if it found conflicts. Throws `site_busy`. */
  async #git(args: readonly string[], folder: string): Promise<Buffer | undefined> {
    try {
      return await runGit(this.#gitdir, args, { cwd: folder, maxMs: MAX_BATCH_MS })
    } catch (error) {
      if (!(error instanceof GitFailed)) throw error
      if (error.exitCode !== undefined && error.exitCode <= MAX_CONFLICTS_CODE) return undefined
      throw Object.assign(busy(), { cause: error })
    }
  }

  #take(file: string, code: number): MergedText {
    if (code > MAX_CONFLICTS_CODE) return { conflict: undefined }
    const text = readFileSync(file)
    return code > 0 ? { conflict: text.toString() } : { oid: this.keep(text) }
  }
}

function scriptFor(count: number): string {
  const labels = SIDES.map((side) => `-L ${side}`).join(' ')
  const files = SIDES.map((side) => `$n.${side}`).join(' ')
  return `n=0
while [ $n -lt ${count} ]; do
  code=255
  if [ -f $n.ours ]; then git merge-file --quiet ${labels} ${files}; code=$?; fi
  echo $code
  n=$((n + 1))
done`
}

function makeFolder(gitdir: string): string {
  makeScratch(gitdir)
  const folder = scratchPath(gitdir, 'merge')
  mkdirSync(folder)
  return folder
}

function isConflict(merged: MergedText): boolean {
  return 'conflict' in merged && merged.conflict !== undefined
}

function isText(bytes: Buffer | undefined): bytes is Buffer {
  return bytes !== undefined && !bytes.subarray(0, SNIFFED_BYTES).includes(0)
}

function tooMany(count: number): ServiceError {
  return new ServiceError(
    'too_costly',
    `${count} files were changed since and must be merged, more than ${MAX_TEXTS}: do it in a clone, and push.`,
  )
}

function busy(): ServiceError {
  return new ServiceError('site_busy', 'git could not merge the files now. Try again, or merge in a clone and push.')
}
