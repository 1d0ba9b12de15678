import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FOLDERS = ['src', 'schemas', 'dashboard/src', 'scripts']
const MAX_WORDS = 25

const LINE = /^\s*\/\/ ?(?!\s*(?:oxlint|biome)-)(.*)$/
const BLOCK = /^\s*(?:\/\*\*?|\*(?!\/)) ?(.*?)(?:\s*\*\/)?$/

/** A document of decisions is as old as its decision, and the changelog is a list. */
const DOCUMENTS = ['README.md', 'SECURITY.md', ...documentsIn('docs')]

describe('a sentence of a document', () => {
  it(`has at most ${MAX_WORDS} words`, () => {
    const found = DOCUMENTS.flatMap((document) =>
      paragraphsOf(readFileSync(document, 'utf8')).flatMap((paragraph) =>
        // A list or a reason follows a colon: a reader rests there.
        sentencesOf([paragraph])
          .flatMap((sentence) => sentence.split(/(?<=:) /))
          .filter((sentence) => wordsOf(sentence) > MAX_WORDS)
          .map((sentence) => `${document}: ${sentence}`),
      ),
    )
    assert.deepEqual(found, [])
  })
})

describe('a sentence of a comment', () => {
  it(`has at most ${MAX_WORDS} words`, () => {
    const found = FOLDERS.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => /\.(?:ts|tsx|js)$/.test(name))
        .flatMap((name) => longSentencesIn(join(folder, name))),
    )
    assert.deepEqual(found, [])
  })

  it('ends at a full stop before a capital letter or the name of a program, and code in it is one word', () => {
    assert.deepEqual(sentencesOf(['Reads `a b.c D`. It is one.', 'more line. git is a name. `x` begins another.']), [
      'Reads CODE.',
      'It is one. more line.',
      'git is a name.',
      'CODE begins another.',
    ])
  })
})

function documentsIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => join(folder, name))
}

/** Returns paragraphs and items of lists, without code, tables, headings and the targets of links. */
function paragraphsOf(text: string): string[] {
  return text
    .replaceAll(/^ *```.*?^ *```$/gms, '\n')
    .replaceAll(/<!--.*?-->.*?<!--.*?-->/gs, '\n')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\n\s*\n|\n(?= *(?:[-*]|\d+\.) )/)
    .filter((paragraph) => !/^\s*[|#]/.test(paragraph))
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').replaceAll('**', ''))
}

function longSentencesIn(file: string): string[] {
  return commentsOf(readFileSync(file, 'utf8')).flatMap(({ line, texts }) =>
    sentencesOf(texts)
      .filter((sentence) => wordsOf(sentence) > MAX_WORDS)
      .map((sentence) => `${file}:${line} ${sentence}`),
  )
}

/** Returns comments that have lines of their own. */
function commentsOf(source: string): { line: number; texts: string[] }[] {
  const comments: { line: number; texts: string[] }[] = []
  let before: RegExp | undefined
  for (const [at, line] of source.split('\n').entries()) {
    const kind = LINE.test(line) ? LINE : BLOCK.test(line) ? BLOCK : undefined
    const text = kind?.exec(line)?.[1] ?? ''
    const isMore = kind !== undefined && kind === before && !/^\s*\/\*/.test(line)
    if (isMore) comments.at(-1)?.texts.push(text)
    else if (kind !== undefined) comments.push({ line: at + 1, texts: [text] })
    before = kind
  }
  return comments
}

function sentencesOf(texts: readonly string[]): string[] {
  return texts
    .join(' ')
    .replaceAll(/`[^`]*`/g, 'CODE')
    .split(/(?<=[.!?][)"”]?)\s+(?=[A-Z0-9("“]|(?:git|main|npx)\b)/)
}

function wordsOf(sentence: string): number {
  return sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length
}
