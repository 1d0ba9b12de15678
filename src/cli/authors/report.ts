// Reports the outcome for each of many pages as it happens, and a summary. A terminal shows a bar, other outputs a line for each page, and
// programs get one document. Results go to standard output, everything else to standard error.

import { type Progress, startProgress } from '../terminal/progress.js'
import { printTable } from '../terminal/table.js'
import { cell, printError, printJson } from '../terminal/printable.js'

export interface Entry<Outcome extends string> {
  path: string
  outcome: Outcome | 'failed'
  /** A URL or a file. */
  at?: string
  /** The reason why it failed. */
  message?: string
}

export class Report<Outcome extends string> {
  readonly #entries: Entry<Outcome>[] = []
  readonly #total: number
  readonly #outcomes: readonly (Outcome | 'failed')[]
  readonly #json: boolean
  readonly #bar: Progress | undefined

  /** `outcomes` are in the order of the summary; on a terminal, pages with the last one get no line. */
  constructor(title: string, total: number, outcomes: readonly Outcome[], options: { json?: true }) {
    this.#total = total
    this.#outcomes = [...outcomes, 'failed']
    this.#json = options.json === true
    this.#bar = process.stderr.isTTY && total > 1 ? startProgress(title, total) : undefined
  }

  add(entry: Entry<Outcome>): void {
    this.#entries.push(entry)
    this.#bar?.advance(cell(entry.path))
    if (!this.#json && !process.stdout.isTTY) console.log(rowOf(entry).join('\t'))
  }

  /** Prints the rest, also after interrupted work; `further` is for programs. A failed page makes the exit code 1. */
  close(further: object = {}): void {
    this.#bar?.done(this.#summary())
    if (this.#json) printJson({ summary: this.#counts(), pages: this.#entries, ...further })
    else if (process.stdout.isTTY) this.#printTable()
    for (const { path, message } of this.#failed()) printError(`palimpsest: ${cell(path)}: ${cell(message ?? '')}`)
    if (this.#bar === undefined && !this.#json) console.error(this.#summary())
    if (this.#failed().length > 0) process.exitCode = 1
  }

  #printTable(): void {
    const unremarkable = this.#outcomes.at(-2)
    const rows = this.#entries.filter(({ outcome }) => outcome !== 'failed' && outcome !== unremarkable).map(rowOf)
    if (rows.length > 0) printTable(['', 'path', 'at'], rows)
  }

  #failed(): Entry<Outcome>[] {
    return this.#entries.filter(({ outcome }) => outcome === 'failed')
  }

  #counts(): Record<string, number> {
    const count = (wanted: string) => this.#entries.filter(({ outcome }) => outcome === wanted).length
    return Object.fromEntries(this.#outcomes.map((outcome) => [outcome, count(outcome)]))
  }

  #summary(): string {
    const parts = Object.entries(this.#counts()).map(([outcome, count]) => `${outcome} ${count}`)
    const left = this.#total - this.#entries.length
    return left === 0 ? parts.join(', ') : `${parts.join(', ')}, not tried ${left}`
  }
}

function rowOf({ outcome, path, at = '' }: Entry<string>): string[] {
  return [outcome, cell(path), cell(at)]
}
