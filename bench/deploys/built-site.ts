// Writes a folder like the output of a site generator: pages, styles, scripts, and images that do not compress.

import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const FILES = 2_000
const BYTES_EACH = 10_000
const FILES_PER_FOLDER = 50
const ENDINGS = ['html', 'html', 'html', 'html', 'html', 'js', 'css', 'png', 'png', 'jpg']
const IMAGE = /png|jpg/

/** Writes 2,000 files of 20 MB together, or fewer. `seed` determines their bytes: no two folders share any. */
export function writeBuiltSite(folder: string, seed: string, files = FILES): void {
  for (let number = 0; number < files; number++) {
    const ending = ENDINGS[number % ENDINGS.length] ?? 'html'
    const path = join(folder, `section-${Math.floor(number / FILES_PER_FOLDER)}`, `file-${number}.${ending}`)
    mkdirSync(dirname(path), { recursive: true })
    const noise = noiseOf(`${seed} ${number}`)
    writeFileSync(path, IMAGE.test(ending) ? noise : documentOf(number, noise))
  }
}

/** Changes three of the files. */
export function changeThree(folder: string, seed: string): void {
  for (const number of [0, 500, 995]) {
    const name = join(
      `section-${Math.floor(number / FILES_PER_FOLDER)}`,
      `file-${number}.${ENDINGS[number % ENDINGS.length]}`,
    )
    writeFileSync(join(folder, name), documentOf(number, noiseOf(`${seed} ${number}`)))
  }
}

/** Returns text that compresses about as well as the text of a built site. */
function documentOf(number: number, noise: Buffer): Buffer {
  const words =
    noise
      .subarray(0, BYTES_EACH / 4)
      .toString('base64')
      .match(/.{1,9}/g) ?? []
  const text = words.map((word, at) => `<p class="line-${at % 7}">${word}</p>`).join('\n')
  return Buffer.from(`<!doctype html>\n<title>File ${number}</title>\n${text}`.padEnd(BYTES_EACH).slice(0, BYTES_EACH))
}

function noiseOf(seed: string): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; at < BYTES_EACH; at += 64) pieces.push(createHash('sha512').update(`${seed} ${at}`).digest())
  return Buffer.concat(pieces).subarray(0, BYTES_EACH)
}
