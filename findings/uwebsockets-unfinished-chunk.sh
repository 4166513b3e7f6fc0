#!/usr/bin/env bash
# uWebSockets.js (published as uwebsockets@3.0.6) ends a chunk only when it begins the next one: the line break after its bytes
# (RFC 9112, section 7.1) is missing until then. Clients that read bytes as they come see nothing of it, but Varnish 7.1 passes on chunks
# that have ended: through it every server-sent event arrives one too late, the last one with the next sign of life. Writing a few bytes
# that mean nothing after each event ends its chunk. Exits non-zero once a chunk is ended at once.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . uwebsockets@3.0.6 > /dev/null
cat > chunks.cjs <<'SCRIPT'
const { connect } = require('node:net')
const { App, us_socket_local_port } = require('uwebsockets')

let writeNext
App()
  .get('/*', (response) => {
    response.onAborted(() => undefined)
    response.write('one')
    writeNext = () => response.cork(() => response.write('two'))
  })
  .listen('127.0.0.1', 0, (listening) => {
    const socket = connect(us_socket_local_port(listening), '127.0.0.1')
    let body = ''
    let first
    socket.on('data', (bytes) => {
      body = (body + bytes).replace(/^.*\r\n\r\n/s, '')
      if (first === undefined && body.includes('one')) {
        // Whatever is still to come of the first chunk would have come by then.
        first = new Promise((resolve) => setTimeout(() => resolve(body), 500))
        first.then(() => writeNext())
      }
      if (body.includes('two')) {
        first.then((before) => {
          console.log(`uwebsockets@3.0.6: ${JSON.stringify(before)}, and after the second one ${JSON.stringify(body)}`)
          process.exit(before === '3\r\none' && body === '3\r\none\r\n3\r\ntwo' ? 0 : 1)
        })
      }
    })
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  })
SCRIPT
node chunks.cjs
