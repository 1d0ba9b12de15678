// Trying rules: what a site would answer at a path.

import { type Static, Type } from 'typebox'
import { sentence, treePath } from './answer-texts.js'
import { closed, nullable } from './common.js'

/** Twice the limit of a rules file, so that a text that is too long is reported as a wrong line. */
const MAX_TEXT_CHARACTERS = 1024 * 1024

const text = (file: string) =>
  Type.Optional(
    Type.String({
      maxLength: MAX_TEXT_CHARACTERS,
      description: `The text of \`${file}\` to try in place of the published one.`,
    }),
  )

export const tryRulesBody = Type.Object(
  {
    path: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: 'The path that a visitor asks for, with its query.',
      examples: ['/old/page?id=1'],
    }),
    redirects: text('_redirects'),
    headers: text('_headers'),
  },
  { ...closed, title: 'TryRules' },
)

const lineOfRules = Type.Object(
  {
    file: Type.Enum(['_redirects', '_headers']),
    line: Type.Integer({ minimum: 1 }),
    message: sentence({ description: 'What is wrong, and what to do.' }),
  },
  { ...closed, title: 'LineOfRules' },
)

/** Each of a path's 2,048 characters becomes at most twelve percent-encoded ones. */
const MAX_TARGET_CHARACTERS = 25_000

/** All fields of an answer have at most 8,192 bytes. */
const fieldText = Type.String({ maxLength: 8_192 })

export const triedRulesData = Type.Object(
  {
    path: Type.String({ maxLength: MAX_TARGET_CHARACTERS, description: 'As a browser sends it.' }),
    answer: Type.Enum(['page', 'file', 'markdown', 'generated', 'redirect', 'missing'], {
      description: 'The kind of answer. `generated`: made by the service, such as `/sitemap.xml`.',
    }),
    status: Type.Integer(),
    location: nullable(Type.String({ maxLength: MAX_TARGET_CHARACTERS, description: 'Where a redirect leads.' })),
    file: nullable(treePath({ description: 'The file that is sent: its path in the repository.' })),
    mediaType: nullable(fieldText),
    fields: Type.Array(Type.Object({ name: fieldText, value: fieldText }, closed), {
      maxItems: 4_000,
      description: 'The fields that the rules add to those of the service.',
    }),
    redirectLine: nullable(
      Type.Integer({ description: 'The line of `_redirects` that decided; null where none did.' }),
    ),
    headerLines: Type.Array(Type.Integer(), {
      maxItems: 100,
      description: 'The lines of `_headers` whose paths match.',
    }),
    isLoop: Type.Boolean({
      description: 'The redirects form a loop, so the answer is given without rules.',
    }),
    wrongLines: Type.Array(lineOfRules, { maxItems: 2_002, description: 'Lines that are skipped.' }),
    warnings: Type.Array(lineOfRules, {
      maxItems: 4_100,
      description: 'Rules that never apply, are skipped at this path or lead nowhere, and lines that apply in part.',
    }),
  },
  { ...closed, title: 'TriedRules' },
)
export type TriedRulesData = Static<typeof triedRulesData>
