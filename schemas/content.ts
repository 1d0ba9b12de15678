// The content of a page or version, in whole or in part: how a part is asked for, and the fields that tell of it.

import { type Static, Type } from 'typebox'
import { HIGHEST_HTML_BYTES } from '../src/model/limits.js'
import { closed, ofDraft, ofRequest } from './common.js'

const range = (description: string) =>
  Type.Object({ from: Type.Integer(), to: Type.Integer(), total: Type.Integer() }, { ...closed, description })

const form = Type.Enum(['html', 'text', 'markdown', 'outline'], {
  description:
    '`outline` lists the headings with their lines and ids. `text` and `markdown` leave out hidden elements and invisible characters. Default: `html`.',
})

/** Fields of a text that is read in part: the places that match, or the part that was requested. */
export const partFields = {
  matches: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ minimum: 0, maximum: 100_000, description: 'How often it was found, up to 100,000.' }),
        places: Type.Array(
          Type.Object(
            {
              line: Type.Integer({ minimum: 1, description: 'The line of its beginning, counted from 1.' }),
              from: Type.Integer({ minimum: 1, description: 'Its first character, counted from 1.' }),
              to: Type.Integer({ minimum: 1, description: 'Its last character.' }),
              text: Type.String({
                maxLength: 160,
                description: 'The match and the text around it, at most 160 characters.',
              }),
            },
            closed,
          ),
          { maxItems: 50, description: 'The first 50.' },
        ),
      },
      { ...closed, description: 'Present in place of content where `find` or `pattern` was given.' },
    ),
  ),
  lines: Type.Optional(range('The lines that it holds, counted from 1; present where a part was requested.')),
  characters: Type.Optional(
    range('The characters (UTF-16 code units) that it holds; present where a part was requested.'),
  ),
}

/** Fields of a page or version with its content, if one is requested. */
export const content = {
  as: Type.Optional(form),
  content: Type.Optional(
    Type.String({
      maxLength: HIGHEST_HTML_BYTES,
      description: 'Present in place of `html` where another form was requested.',
    }),
  ),
  found: Type.Optional(
    Type.Array(Type.Object({ from: Type.Integer(), to: Type.Integer() }, closed), {
      maxItems: 100,
      description: 'The lines of the html where `heading` or `selector` found something, the first 100.',
    }),
  ),
  ...partFields,
}

const RANGE = '^[1-9][0-9]{0,8}-([1-9][0-9]{0,8})?$'

/** Selects the part of a text to read. */
export const partQuery = {
  find: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Returns the places of this text instead of the content.',
    }),
  ),
  pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description: 'Returns the places where this regular expression matches.',
    }),
  ),
  lines: Type.Optional(
    Type.String({
      pattern: RANGE,
      maxLength: 19,
      description: 'Only these lines, counted from 1; `60-` ends at the last line.',
      examples: ['10-60'],
    }),
  ),
  chars: Type.Optional(
    Type.String({
      pattern: RANGE,
      maxLength: 19,
      description: 'Only these characters, as for `lines`.',
      examples: ['1-16000'],
    }),
  ),
}

const contentQuery = {
  as: Type.Optional(form),
  heading: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description: 'Only the section below the heading with this text or `#id`.',
    }),
  ),
  selector: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1000, description: 'Only the elements that this CSS selector selects.' }),
  ),
  ...partQuery,
  ...ofRequest,
}

export const getContentQuery = Type.Object(contentQuery, closed)
export const getPageQuery = Type.Object({ ...contentQuery, ...ofDraft }, closed)
export type ContentQuery = Static<typeof getContentQuery>
