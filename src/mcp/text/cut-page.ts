// Cuts a long page into parts, so that what an agent gets at once is bounded. The agent is told which lines come next.

type Fields = Record<string, unknown>

/** About 10,000 tokens. */
const MAX_HTML_CHARACTERS = 40_000

/** The page with as many first lines of its html as fit, at least one, and with their numbers in `lines`. */
export function cutPage(page: Fields): Fields {
  const { html, lines } = page
  if (typeof html !== 'string' || html.length <= MAX_HTML_CHARACTERS) return page
  const all = html.split('\n')
  const { from, total } = (lines ?? { from: 1, total: countLines(all) }) as { from: number; total: number }
  let length = 0
  const fitting = all.findIndex((line) => (length += line.length + 1) > MAX_HTML_CHARACTERS)
  const count = Math.max(1, fitting)
  const part = `${all.slice(0, count).join('\n')}\n`
  return { ...page, html: part, lines: { from, to: from + count - 1, total } }
}

/** A line feed at the end does not start another line. */
function countLines(lines: readonly string[]): number {
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}
