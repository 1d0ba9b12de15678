// A node's writer thread with some of the sites. The logs of their repositories are in PostgreSQL.

import type { LogSettings } from '../../repository/protocol/writer-messages.js'
import { startWriter } from '../../repository/writing/start-writer.js'
import { openLogRepositories } from './open-log.js'

startWriter((disk, { log }) => openLogRepositories(disk, log as LogSettings))
