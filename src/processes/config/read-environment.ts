// Reads the environment's values by their schema: numbers and booleans from texts, defaults for absent values. Handwritten, since
// every command begins with it: with Ajv, this schema alone took a fifth of a command's time.

import { type Environment, environmentSchema } from './schema.js'

/** The schema of one variable. */
interface Variable {
  type?: 'string' | 'integer' | 'boolean'
  enum?: readonly string[]
  minimum?: number
  maximum?: number
  default?: string | number | boolean
}

const TRUE = /^(?:1|true)$/
const FALSE = /^(?:0|false)$/

/** Reads all variables. One with a wrong text gets its default, and a line in `problems`. Variables without a text are absent. */
export function readEnvironment(texts: Readonly<Record<string, string | undefined>>): {
  values: Environment
  problems: string[]
} {
  const values: Record<string, string | number | boolean> = {}
  const problems: string[] = []
  for (const [name, variable] of Object.entries<Variable>(environmentSchema.properties)) {
    const text = texts[name] || undefined
    const problem = text === undefined ? undefined : problemOf(text, variable)
    if (problem !== undefined) problems.push(`${name} ${problem}`)
    const value = text === undefined || problem !== undefined ? variable.default : valueOf(text, variable)
    if (value !== undefined) values[name] = value
  }
  return { values: values as Environment, problems }
}

function valueOf(text: string, { type }: Variable): string | number | boolean {
  if (type === 'integer') return Number(text)
  return type === 'boolean' ? TRUE.test(text) : text
}

function problemOf(text: string, variable: Variable): string | undefined {
  const { type, minimum = -Infinity, maximum = Infinity } = variable
  if (variable.enum?.includes(text) === false) return `must be one of ${variable.enum.join(', ')}`
  if (type === 'boolean') return TRUE.test(text) || FALSE.test(text) ? undefined : 'must be 1 or 0 (or true or false)'
  if (type !== 'integer') return undefined
  if (!Number.isInteger(Number(text))) return 'must be an integer'
  if (Number(text) < minimum) return `must be >= ${minimum}`
  return Number(text) > maximum ? `must be <= ${maximum}` : undefined
}
