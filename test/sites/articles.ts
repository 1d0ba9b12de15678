// Input for the generators: chapters in Markdown that link to each other, each with a picture next to it.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'

const CHAPTERS = 24
const WIDTH = 32

export interface ArticleStyle {
  /** Lines of front matter of each page. */
  frontMatter?: string
  /** The link from `guide/` to another chapter there. */
  linkTo: (chapter: number) => string
}

/** `index.md`, and `guide/` with its chapters and pictures. */
export function writeArticles(folder: string, { frontMatter = '', linkTo }: ArticleStyle): void {
  mkdirSync(join(folder, 'guide'), { recursive: true })
  const page = (title: string, text: string) => `---\ntitle: ${title}\n${frontMatter}---\n\n# ${title}\n\n${text}\n`
  writeFileSync(join(folder, 'index.md'), page('A site', `[The first chapter](${linkTo(1).replace('./', './guide/')})`))
  for (let chapter = 1; chapter <= CHAPTERS; chapter++) {
    const next = (chapter % CHAPTERS) + 1
    const text = [
      `![Picture ${chapter}](./picture-${chapter}.png)`,
      `See [chapter ${next}](${linkTo(next)}) and [its end](${linkTo(next)}#end-of-chapter-${next}).`,
      '```js\nconst answer = 42\n```',
      `Prose of chapter ${chapter}. `.repeat(80),
      `## End of chapter ${chapter}`,
    ]
    writeFileSync(join(folder, 'guide', `chapter-${chapter}.md`), page(`Chapter ${chapter}`, text.join('\n\n')))
    writeFileSync(join(folder, 'guide', `picture-${chapter}.png`), pictureOf(chapter))
  }
}

/** A square of one shade of grey (PNG, W3C recommendation §5). */
function pictureOf(shade: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(WIDTH, 4)
  // 8 bits of grey.
  header[8] = 8
  const rows = Buffer.alloc((WIDTH + 1) * WIDTH, shade * 8)
  for (let row = 0; row < WIDTH; row++) rows[row * (WIDTH + 1)] = 0
  const chunks = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}
