// Collects the reports of one fault program and shows them: one rewritten line on a terminal, plain lines elsewhere.

import type { Report } from '../program.js'

/** A broken build breaks every case: past this many lost writes, and as many other violations, the rest is only counted. */
const SHOWN_TROUBLES = 20
/** Between two plain lines of progress. */
const LINE_EVERY_MS = 15_000

export class Tally implements Report {
  readonly name: string
  cases = 0
  acknowledged = 0
  lost = 0
  violations = 0
  /** Cases that struck nothing, and steps that no case struck. */
  missed = 0
  /** Acknowledged writes by the kinds that were named. */
  readonly #byKind = new Map<string, number>()
  readonly #began = performance.now()
  #spokeAt = performance.now()

  constructor(name: string) {
    this.name = name
  }

  get seconds(): number {
    return Math.round((performance.now() - this.#began) / 1000)
  }

  begin(what: string, of?: number): void {
    this.cases++
    const line = `${this.name}: case ${this.cases}${of === undefined ? '' : ` of ${of}`}: ${what}`
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${line.slice(0, process.stdout.columns - 1)}`)
    else if (performance.now() - this.#spokeAt > LINE_EVERY_MS) this.#say(line)
  }

  acknowledge(writes = 1, kind?: string): void {
    this.acknowledged += writes
    if (kind !== undefined) this.#byKind.set(kind, (this.#byKind.get(kind) ?? 0) + writes)
  }

  lose(what: string): void {
    this.lost++
    this.#complain(`LOST ${what}`, this.lost)
  }

  violate(what: string): void {
    this.violations++
    this.#complain(what, this.violations)
  }

  miss(what: string): void {
    this.missed++
    this.#complain(`not reached: ${what}`, this.missed)
  }

  /** The row in the table at the end. */
  get row(): string[] {
    return [this.name, this.cases, this.missed, this.acknowledged, this.lost, this.violations, this.seconds].map(String)
  }

  get summary(): string {
    const { name, cases, missed, acknowledged, lost, violations, seconds } = this
    const kinds = Array.from(this.#byKind, ([kind, count]) => `${count} by ${kind}`)
    const among = kinds.length === 0 ? '' : ` (${kinds.join(', ')} among them)`
    return `${name}: ${cases} cases${missed === 0 ? '' : `, ${missed} cases or steps not reached`}, ${acknowledged} acknowledged writes${among}, ${lost} lost, ${violations} other violations, ${seconds} s`
  }

  /** Leaves the terminal's line empty. */
  end(): void {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[K')
  }

  /** `count` is the number of troubles of this kind. */
  #complain(what: string, count: number): void {
    if (count <= SHOWN_TROUBLES) this.#say(`${this.name}: case ${this.cases}: ${what}`)
    if (count === SHOWN_TROUBLES) this.#say(`${this.name}: further troubles of this kind are counted, not shown`)
  }

  #say(line: string): void {
    this.end()
    console.log(line)
    this.#spokeAt = performance.now()
  }
}
