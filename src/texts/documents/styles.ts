// The ways to write the parts of a document: Markdown and plain text.

export interface Style {
  marks: Readonly<Record<'strong' | 'emphasis' | 'deleted', string>>
  quote: string
  /** A line break within a block. */
  lineBreak: string
  rule: string
  definition: string
  escape: (text: string) => string
  /** Escapes the beginning of a line that would be read as markup. */
  escapeStart: (line: string) => string
  heading: (level: number) => string
  /** Returns the texts before and after the words of a link. */
  link: (href: string) => [before: string, after: string]
  image: (alt: string, src: string) => string
  /** Writes words of code, on one line. */
  code: (words: string) => string
  codeBlock: (lines: readonly string[], language: string) => string[]
  /** Writes rows of cells, at least one. */
  table: (rows: readonly (readonly string[])[]) => string[]
}

export const MARKDOWN: Style = {
  marks: { strong: '**', emphasis: '*', deleted: '~~' },
  quote: '> ',
  lineBreak: '\\\n',
  rule: '---',
  definition: ': ',
  escape: (text) => text.replaceAll(/[\\`*[\]|]|\b_|_\b|<(?=[a-z/!?])|&(?=#?\w+;)/gi, (mark) => `\\${mark}`),
  escapeStart: (line) =>
    line
      .replace(/^(?:#{1,6}(?= |$)|[-+>](?= |$)|>|[-=]{3,}$|~~~)/, '\\$&')
      .replace(/^(\d{1,9})([.)])(?= |$)/, '$1\\$2'),
  heading: (level) => `${'#'.repeat(level)} `,
  link: (href) => ['[', `](${target(href)})`],
  image: (alt, src) => `![${MARKDOWN.escape(oneLine(alt))}](${src.startsWith('data:') ? '' : target(src)})`,
  code(words) {
    const fence = longerThan(words, '`', 1)
    const space = words.startsWith('`') || words.endsWith('`') ? ' ' : ''
    return `${fence}${space}${words}${space}${fence}`
  },
  codeBlock(lines, language) {
    const fence = longerThan(lines.join('\n'), '`', 3)
    return [`${fence}${language}`, ...lines, fence]
  },
  table(rows) {
    // In a Markdown table, the first row decides how many cells count.
    const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
    const [first = [], ...others] = rows
    const head = Array.from({ length: width }, (_, i) => first[i] ?? '')
    return [rowOf(head), rowOf(head.map(() => '---')), ...others.map(rowOf)]
  },
}

export const PLAIN: Style = {
  marks: { strong: '', emphasis: '', deleted: '' },
  quote: '  ',
  lineBreak: '\n',
  rule: '',
  definition: '  ',
  escape: (text) => text,
  escapeStart: (line) => line,
  heading: () => '',
  link: () => ['', ''],
  image: (alt) => oneLine(alt),
  code: (words) => words,
  codeBlock: (lines) => [...lines],
  table: (rows) => rows.map((row) => row.join('\t')),
}

/** Returns a URL without characters that would end it. */
function target(url: string): string {
  const clean = url.trim().replaceAll(/[\s<>]/g, (character) => encodeURIComponent(character))
  return /[()]/.test(clean) ? `<${clean}>` : clean
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function longerThan(text: string, mark: string, least: number): string {
  const runs = text.match(new RegExp(`${mark}+`, 'g')) ?? []
  return mark.repeat(runs.reduce((longest, run) => Math.max(longest, run.length + 1), least))
}

function rowOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}
