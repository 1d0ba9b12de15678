// Paths as an adversary would write them: plain Unicode, and pieces that git, a file system or a URL gives a meaning.

import * as fc from 'fast-check'
import { anyText } from '../../texts/any-text.js'

const PIECES = [
  [
    '/',
    '//',
    '.',
    '..',
    '...',
    '.html',
    '.HTML',
    'index',
    'index.html',
    'a',
    'A',
    'docs',
    ' ',
    '-',
    '~',
    '1',
    '~1',
    '"',
  ],
  ['.git', '.GIT', 'git~1', '.git ', '.git.', '.gitmodules', '.g\u200cit', '\u200c', '\u202e', '\ufeff', ':$DATA', ':'],
  [
    'con',
    'NUL',
    'aux.txt',
    'com1',
    'LPT¹',
    'CONIN$',
    '<',
    '>',
    '|',
    '*',
    '?',
    '#',
    '\\',
    '\0',
    '\n',
    '\u007f',
    '\u0085',
  ],
  ['%', '%25', '%2525', '%2e', '%2E%2e', '%2f', '%5C', '%3f', '%23', '%00', '%C3%A9', '%E9', '%C0%AE', '%ED%A0%80'],
  ['é', 'e\u0301', 'ß', 'ẞ', 'ss', 'İ', 'ı', 'K', 'ﬁ', 'ſ', '\u0344', '\u0958', '😀', '\ud800', '\udc00', '\u0338'],
  ['collections', '_redirects', '_headers', '.well-known', '.pages', '.site.json', '.long', '404', 'x'.repeat(250)],
].flat()

/** Any text a client may send as a path, hostile pieces and plain Unicode mixed. */
export const anyPath: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...PIECES) },
      { weight: 1, arbitrary: anyText({ maxLength: 6 }) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 3 }) },
    ),
    { maxLength: 9 },
  )
  .map((pieces) => pieces.join(''))

/** Texts that are accepted more often: segments of names that need care, none that is refused. */
export const likelyPath: fc.Arbitrary<string> = fc
  .array(
    fc.array(fc.constantFrom(...PIECES.filter((piece) => /^[^/\\?#%\p{Cc}\p{Surrogate}]+$/u.test(piece)), '%25'), {
      minLength: 1,
      maxLength: 3,
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((segments) => `/${segments.map((names) => names.join('')).join('/')}`)
