// Asks a person at a terminal to choose, or to type a line. Questions go to standard error: standard output is for results.

import { autocomplete, isCancel, text } from '@clack/prompts'

export interface Choice {
  value: string
  label: string
  hint?: string
  /** Offered whatever the person types to find another. */
  isAlways?: boolean
}

/** More choices scroll. */
const MAX_SHOWN = 8

/** Returns the value of the chosen one; undefined after Ctrl-C. */
export async function choose(question: string, choices: readonly Choice[]): Promise<string | undefined> {
  const always = new Set(choices.flatMap(({ value, isAlways }) => (isAlways === true ? [value] : [])))
  const answer = await autocomplete({
    message: question,
    options: choices.map(({ value, label, hint }) => ({ value, label, ...(hint !== undefined && { hint }) })),
    filter: (typed, { value, label = '' }) => always.has(value) || label.toLowerCase().includes(typed.toLowerCase()),
    maxItems: MAX_SHOWN,
    output: process.stderr,
  })
  return isCancel(answer) ? undefined : answer
}

/** Returns the typed line; undefined after Ctrl-C. `whyNot` returns what is wrong with a line. */
export async function askLine(
  question: string,
  initial: string,
  whyNot: (typed: string) => string | undefined,
): Promise<string | undefined> {
  const answer = await text({
    message: question,
    initialValue: initial,
    validate: (typed = '') => whyNot(typed),
    output: process.stderr,
  })
  return isCancel(answer) ? undefined : answer
}
