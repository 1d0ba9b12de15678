// Texts that hold two versions of the same lines between marks, for a person to choose from.

const END = '>>>>>>> End of both'
const MIDDLE = '======= Yours'

/** Returns the mark before the lines that are live; `by` is who published them. */
function startOf(by: string): string {
  return `<<<<<<< Live now, by ${by.replaceAll(/\s+/g, ' ')}`
}

/** Puts the marks of people in the place of git's: `ours` is what is live, `theirs` what was sent. */
export function wordMarks(text: string, by: string): string {
  let isInside = false
  const marks = new Map([
    ['<<<<<<< ours', startOf(by)],
    ['=======', MIDDLE],
    ['>>>>>>> theirs', END],
  ])
  const lines = text.split('\n').map((line) => {
    const bare = line.replace(/\r$/, '')
    const mark = marks.get(bare)
    // The page itself may have lines like git's marks.
    if (mark === undefined || isInside === bare.startsWith('<')) return line
    isInside = mark !== END
    return mark + line.slice(bare.length)
  })
  return lines.join('\n')
}

/** Puts the first lines of each place behind the second ones: `ours` is then what was `theirs`. */
export function swapSides(text: string): string {
  const lines: string[] = []
  let ours: string[] | undefined
  let theirs: string[] | undefined
  for (const line of text.split('\n')) {
    const bare = line.replace(/\r$/, '')
    if (ours === undefined && bare === '<<<<<<< ours') {
      ours = []
      lines.push(line)
    } else if (ours !== undefined && theirs === undefined && bare === '=======') theirs = [line]
    else if (ours !== undefined && theirs !== undefined && bare === '>>>>>>> theirs') {
      const [middle = '', ...rest] = theirs
      lines.push(...rest, middle, ...ours, line)
      ours = theirs = undefined
    } else (theirs ?? ours ?? lines).push(line)
  }
  return lines.join('\n')
}

/** Puts both texts between marks, but for the lines with which both begin and end. */
export function markBoth(live: string, mine: string, by: string): string {
  const [theirs, own] = [live.split('\n'), mine.split('\n')]
  const shortest = Math.min(theirs.length, own.length)
  let start = 0
  while (start < shortest && theirs[start] === own[start]) start++
  let end = 0
  while (end < shortest - start && theirs.at(-1 - end) === own.at(-1 - end)) end++
  const between = (lines: readonly string[]) => lines.slice(start, lines.length - end)
  const marked = [startOf(by), ...between(theirs), MIDDLE, ...between(own), END]
  return own.toSpliced(start, own.length - end - start, ...marked).join('\n')
}

/** Returns the number of the first line that is a mark; undefined if there is none. The first line is 1. */
export function findMark(text: string): number | undefined {
  const isMark = (line: string) => line.startsWith(startOf('')) || line === MIDDLE || line === END
  const at = text.split('\n').findIndex((line) => isMark(line.replace(/\r$/, '')))
  return at === -1 ? undefined : at + 1
}

/** Says that a draft has marks. */
export function bothIn(line: number): string {
  return `Both texts are in the editor. Choose at line ${line}, and remove the marks.`
}

/** Refuses to publish a draft with marks. */
export function chooseFirst(line: number): string {
  return `Choose between the two texts at line ${line} first, and remove the marks.`
}
