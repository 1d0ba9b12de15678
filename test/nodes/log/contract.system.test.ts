import { PostgresServer } from '../../servers/postgres-server.js'
import { Proxy } from '../postgres/proxy.js'
import { describeRepositoryContract } from '../../repository/protocol/repository-contract.js'
import { startLogNode } from './log-node.js'

/** Deadline of an answer of the database: on a busy machine, single commits take hundreds of milliseconds. */
const DEADLINE_MS = 2000

describe('a log in PostgreSQL keeps the contract of', () => {
  let server: PostgresServer

  before(async function () {
    server = await PostgresServer.start()
  })
  after(() => server?.remove())

  describeRepositoryContract('on a node', async () => {
    const proxy = await new Proxy(server.port).start()
    const node = await startLogNode(proxy.through(await server.createDatabase()), DEADLINE_MS)
    return {
      repositories: node.repositories,
      whileAnswersAreLost: (work) => proxy.whileDeaf(work),
      async remove() {
        await node.stop()
        await proxy.stop()
      },
    }
  })
})
