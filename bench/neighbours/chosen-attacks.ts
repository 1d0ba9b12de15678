// Chooses the attacks that a bench makes, one after the other and all at once, and prints their table.

import { ATTACKS } from './attacks/table.js'
import type { Outcome } from './attacker.js'

export const RUN_MS = Number(process.env['BENCH_SECONDS'] ?? 8) * 1000
const ALL = 'all'

/**
 * Prints a row after each attack. BENCH_ATTACKS chooses attacks by their names, separated by commas; `all` means all of them at once.
 * Without it, all these rows are printed. `bench` gets the attack names of one row, and returns its cells after the first one.
 */
export async function printAttacks(
  columns: readonly string[],
  bench: (names: readonly string[]) => Promise<string[]>,
): Promise<void> {
  const wanted = process.env['BENCH_ATTACKS']?.split(',')
  const unknown = wanted?.filter((name) => name !== ALL && !ATTACKS.some((attack) => attack.name === name)) ?? []
  if (unknown.length > 0) throw new Error(`BENCH_ATTACKS names no attack: ${unknown.join(', ')}`)
  const attacks = ATTACKS.filter(({ name }) => wanted === undefined || wanted.includes(name))
  printRow(columns)
  printRow(columns.map(() => '---'))
  for (const { name, about } of attacks) printRow([`\`${name}\`: ${about}`, ...(await bench([name]))])
  const names = ATTACKS.map(({ name }) => name)
  if (wanted?.includes(ALL) !== false) printRow(['all of them at once', ...(await bench(names))])
}

function printRow(cells: readonly string[]): void {
  console.log(`| ${cells.join(' | ')} |`)
}

/** Describes the answers to a single attack. The answers to several go to standard error. */
export function describe(outcomes: readonly Outcome[]): string {
  const said = outcomes.map(sayOutcome)
  for (const [number, { name }] of outcomes.entries()) console.error(`  ${name}: ${said[number]}`)
  return said.length === 1 ? (said[0] ?? '') : ''
}

function sayOutcome({ answers, times, medianMs, longestMs }: Outcome): string {
  if (times === 0) return answers.join(', ')
  return `${answers.join(', ')}; ${times} times, median ${medianMs.toFixed(0)} ms, longest ${longestMs.toFixed(0)} ms`
}
