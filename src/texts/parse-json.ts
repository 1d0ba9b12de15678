// Parses the API's JSON: its depth and size are bounded before it is parsed, every string is valid Unicode, and no integer is rounded.

import { ServiceError } from '../model/errors.js'

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [ZERO, NINE, MINUS, PLUS, POINT, E, SMALL_E] = [0x30, 0x39, 0x2d, 0x2b, 0x2e, 0x45, 0x65]
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

export interface JsonBounds {
  maxJsonDepth: number
  maxJsonValues: number
}

/** Throws `invalid_json`. Refuses text beyond the bounds unparsed: parsing it would delay every other request. */
export function parseJson(sent: string, { maxJsonDepth, maxJsonValues }: JsonBounds): unknown {
  // A parser may ignore one byte order mark (RFC 8259 §8.1), which editors and Windows shells write.
  const text = sent.replace(/^\ufeff/, '')
  if (text.trim() === '') throw invalid('The body is empty: send a JSON object.')
  const { depth, values } = measure(text, maxJsonDepth, maxJsonValues)
  if (depth > maxJsonDepth) throw invalid(`The body is nested more than ${maxJsonDepth} levels deep.`)
  if (values > maxJsonValues) throw invalid(`The body has more than ${maxJsonValues} values.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  // A lone surrogate has no UTF-8 form, so it could not be stored as sent.
  if (/\\u[dD][89a-fA-F]/.test(text) && /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))) {
    throw invalid('A string in the body has half of a surrogate pair: send valid Unicode.')
  }
  return value
}

/**
 * Returns the depth of arrays and objects, and roughly the number of values. Stops counting past either bound. Throws `invalid_json` for a
 * number that is not kept as it was sent (RFC 8259 §6).
 */
function measure(text: string, maxDepth: number, maxValues: number): { depth: number; values: number } {
  let depth = 0
  let deepest = 0
  let values = 1
  for (let i = 0; i < text.length && deepest <= maxDepth && values <= maxValues; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === MINUS || (code >= ZERO && code <= NINE)) i = endOfNumber(text, i) - 1
    else if (code === COMMA || code === COLON) values++
    else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      values++
      deepest = Math.max(deepest, ++depth)
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) depth--
  }
  return { depth: deepest, values }
}

/** Returns the index of the quote that ends the string starting at `start`. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === BACKSLASH) i++
    else if (code === QUOTE) return i
  }
  return text.length
}

/** The characters of a number. */
const NUMBER = /[-+.\deE]*/y
/** Integers of up to so many characters are exact. */
const EXACT_CHARACTERS = 15

/** Returns the index behind the number that starts at `start`. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1
  let code = text.charCodeAt(end)
  while ((code >= ZERO && code <= NINE) || code === POINT) code = text.charCodeAt(++end)
  // A document may have 200,000 numbers: a short one without an exponent is always kept, and costs no further check.
  const isPlain = code !== E && code !== SMALL_E && code !== PLUS && code !== MINUS
  return isPlain && end - start <= EXACT_CHARACTERS ? end : endOfOtherNumber(text, start)
}

function endOfOtherNumber(text: string, start: number): number {
  NUMBER.lastIndex = start
  const [number = ''] = NUMBER.exec(text) ?? []
  if (!isKept(number)) {
    const shown = number.length > 40 ? `${number.slice(0, 40)}…` : number
    throw invalid(`The number ${shown} would be rounded: send it as a text, in quotes.`)
  }
  return start + number.length
}

/** Whether the number keeps its value. A text that is no number at all is left to the parser. */
export function isKept(number: string): boolean {
  const value = Number(number)
  if (Number.isNaN(value)) return true
  if (!Number.isFinite(value)) return false
  return (
    number.length <= EXACT_CHARACTERS ||
    !/^-?\d+$/.test(number) ||
    String(value) === number ||
    BigInt(number) === BigInt(value)
  )
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_json', message)
}
