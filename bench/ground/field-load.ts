// Run by ./load.ts: sends one request over and over on a number of connections, each time the last one is answered, and prints
// how many were answered a second. Answers must have no body.

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
