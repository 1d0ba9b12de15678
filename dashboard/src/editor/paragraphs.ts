// Makes a page of words that somebody typed without tags: paragraphs, lists, headings and links.

/** Whether a text is words alone, which browsers show as one line. */
export function isWordsOnly(text: string): boolean {
  return text.trim() !== '' && !/<[a-z!/][^<]*>/i.test(text)
}

/** Blank lines part paragraphs, `- ` or `* ` begins an item of a list, and `# ` a heading. `title` heads a text without a heading. */
export function makeParagraphs(text: string, title: string): string {
  const blocks = withHeading(blocksOf(text.split(/\r?\n/)), title)
  const heading = blocks.find(({ kind }) => kind === 'heading')?.lines[0] ?? ''
  const head = ['<!doctype html>', '<meta name="viewport" content="width=device-width, initial-scale=1">']
  const named = heading === '' ? [] : [`<title>${escape(heading)}</title>`]
  return [...head, ...named, '', ...blocks.map(write), ''].join('\n')
}

interface Block {
  kind: 'heading' | 'list' | 'paragraph'
  /** 1 to 3 for headings, and else 0. */
  level: number
  lines: string[]
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const line of lines) {
    const text = line.trim()
    const [, marks = ''] = /^(#{1,3}) /.exec(text) ?? []
    const isItem = /^[-*] /.test(text)
    const kind = marks !== '' ? 'heading' : isItem ? 'list' : 'paragraph'
    if (text === '') open = undefined
    else if (open !== undefined && kind !== 'heading' && open.kind === kind) open.lines.push(bare(text, kind))
    else {
      open = { kind, level: marks.length, lines: [bare(text, kind)] }
      blocks.push(open)
      if (kind === 'heading') open = undefined
    }
  }
  return blocks
}

/** Many people write the title once more as the first line. */
function withHeading(blocks: Block[], title: string): Block[] {
  if (title === '' || blocks.some(({ kind }) => kind === 'heading')) return blocks
  const [first, ...rest] = blocks
  const isTitle = first?.kind === 'paragraph' && first.lines.join(' ') === title
  return [{ kind: 'heading', level: 1, lines: [title] }, ...(isTitle ? rest : blocks)]
}

function bare(text: string, kind: Block['kind']): string {
  return kind === 'paragraph' ? text : text.replace(/^(?:#{1,3}|[-*]) +/, '')
}

function write({ kind, level, lines }: Block): string {
  const marked = lines.map(withLinks)
  if (kind === 'heading') return `<h${level}>${marked.join(' ')}</h${level}>`
  if (kind === 'paragraph') return `<p>${marked.join('<br>\n')}</p>`
  return ['<ul>', ...marked.map((item) => `  <li>${item}</li>`), '</ul>'].join('\n')
}

/** Escapes the text, and makes links of its addresses; the stop or bracket after one is no part of it. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]'])/)
    .map((part, at) => (at % 2 === 1 ? `<a href="${escape(part)}">${escape(part)}</a>` : escape(part)))
    .join('')
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
