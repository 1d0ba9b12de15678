// A writer thread with some of the sites. Their repositories are on this machine's disk alone.

import { startWriter } from './start-writer.js'

startWriter((disk) => disk)
