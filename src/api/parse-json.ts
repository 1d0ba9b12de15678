// JSON as the API takes it: bounded in depth before it is parsed, and every string of it Unicode.

import { ServiceError } from '../model/errors.js'

/** Throws `invalid_json`. */
export function parseJson(text: string, maxDepth: number): unknown {
  if (text.trim() === '') throw invalid('The body is empty: send a JSON object.')
  if (depthOf(text, maxDepth) > maxDepth) throw invalid(`The body is nested more than ${maxDepth} levels deep.`)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(`The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  // A lone surrogate has no UTF-8 form, so it could never be stored as it was sent.
  if (/\\u[dD][89a-fA-F]/.test(text) && /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value))) {
    throw invalid('A string in the body holds half of a surrogate pair.')
  }
  return value
}

/** How deep arrays and objects nest; stops counting past `limit`. */
function depthOf(text: string, limit: number): number {
  let depth = 0
  let deepest = 0
  for (let i = 0; i < text.length && deepest <= limit; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) i = endOfString(text, i)
    else if (code === 0x5b || code === 0x7b) deepest = Math.max(deepest, ++depth)
    else if (code === 0x5d || code === 0x7d) depth--
  }
  return deepest
}

/** The place of the quote that ends the string which starts at `start`. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x5c) i++
    else if (code === 0x22) return i
  }
  return text.length
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalid_json', message)
}
