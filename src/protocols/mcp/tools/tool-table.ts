// The tools: each is an endpoint of the API under a name for agents, with advice on when to use it. Arguments, limits and answers come from
// the endpoint.

import { FILE_TOOLS } from './file-tools.js'
import { HISTORY_TOOLS } from './history-tools.js'
import { PAGE_TOOLS } from './page-tools.js'
import { RECORD_TOOLS } from './record-tools.js'
import { REQUEST_TOOLS } from './request-tools.js'
import { SITE_TOOLS } from './site-tools.js'
import type { ToolDefinition } from './tool-definition.js'

export const TOOLS: readonly ToolDefinition[] = [
  ...SITE_TOOLS,
  ...PAGE_TOOLS,
  ...FILE_TOOLS,
  ...HISTORY_TOOLS,
  ...REQUEST_TOOLS,
  ...RECORD_TOOLS,
]
