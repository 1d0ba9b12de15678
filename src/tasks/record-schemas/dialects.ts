// Gives each dialect of JSON Schema the class of Ajv that knows its keywords. A class and its meta-schema are made at first use.

import { Ajv, type Options } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { type Dialect, SCHEMA_DIALECT } from './record-schema.js'

interface DialectRow {
  /** The name that the class has for its meta-schema. */
  metaSchema: string
  make: (options: Options) => Ajv | Ajv2019 | Ajv2020
}

export const DIALECTS: Readonly<Record<Dialect, DialectRow>> = {
  '2020-12': { metaSchema: SCHEMA_DIALECT, make: (options) => new Ajv2020(options) },
  '2019-09': {
    metaSchema: 'https://json-schema.org/draft/2019-09/schema',
    make: (options) => new Ajv2019(options),
  },
  'draft-07': {
    metaSchema: 'http://json-schema.org/draft-07/schema',
    // Keywords beside $ref are ignored (draft-wright-json-schema-01 §8). Ajv checks `type` all the same.
    make: (options) => new Ajv({ ...options, ignoreKeywordsWithRef: true }),
  },
}
