// Run by ./load.ts: repeats one request on several connections, each time after the answer to the last one, and prints the number of
// answers per second. Answers must have no body.

import { connect } from 'node:net'

const [port, connections, seconds, request = ''] = process.argv.slice(2)
const END = '\r\n\r\n'
let answered = 0

for (let i = 0; i < Number(connections); i++) {
  const socket = connect(Number(port), '127.0.0.1', () => socket.write(request))
  let arrived = ''
  socket.setNoDelay(true)
  socket.on('data', (chunk) => {
    arrived += chunk.toString('latin1')
    if (!arrived.endsWith(END)) return
    arrived = ''
    answered += 1
    socket.write(request)
  })
}

setTimeout(() => {
  console.log(answered / Number(seconds))
  process.exit()
}, Number(seconds) * 1000)
