// The maker of a commit, as the service signed it.

import { Type } from 'typebox'
import { closed, nullable } from './common.js'

export const makerFields = {
  maker: Type.Optional(
    Type.Enum(['person', 'agent', 'key', 'token', 'operator'], {
      description: 'What made or pushed it, as the service recorded it.',
    }),
  ),
  agent: Type.Optional(
    Type.Object(
      {
        id: Type.String({ maxLength: 100, description: 'The id of the connected agent.' }),
        name: nullable(Type.String({ maxLength: 1_000, description: 'The name of its program.' })),
        userId: nullable(Type.String({ maxLength: 100, description: 'The person for whom it acted.' })),
      },
      { ...closed, description: 'The agent that made it for a person, as the service signed it.' },
    ),
  ),
}
