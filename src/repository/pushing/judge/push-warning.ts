// The form of a warning in the answer to a push: git shows it behind `remote: `.

const START = 'palimpsest: warning: '

export function pushWarning(sentence: string): string {
  return `${START}${sentence}`
}

/** Returns the sentence of a warning. */
export function sentenceOf(warning: string): string {
  return warning.startsWith(START) ? warning.slice(START.length) : warning
}
