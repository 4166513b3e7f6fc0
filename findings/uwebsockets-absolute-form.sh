#!/usr/bin/env bash
# uWebSockets.js (published as uwebsockets@3.0.6) answers a request whose target is a whole address with 505, although every server
# must accept that form (RFC 9112, section 3.2.2), and HTTP/1.0 as well, which HAProxy's usual `option httpchk` and a plain
# `proxy_pass` of nginx before 1.29.7 speak: behind them nothing works. Exits non-zero once it answers either.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix . uwebsockets@3.0.6 > /dev/null
cat > forms.cjs <<'SCRIPT'
const { once } = require('node:events')
const { connect } = require('node:net')
const { App, us_socket_local_port } = require('uwebsockets')

const requests = [
  ['the path alone', 'GET /a HTTP/1.1\r\nhost: x\r\n\r\n', 'HTTP/1.1 200 OK'],
  ['the absolute form', 'GET http://x/a HTTP/1.1\r\nhost: x\r\n\r\n', 'HTTP/1.1 505 HTTP Version Not Supported'],
  ['HTTP/1.0', 'GET /a HTTP/1.0\r\n\r\n', 'HTTP/1.1 505 HTTP Version Not Supported'],
]

async function statusLine(port, request) {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer).split('\r\n', 1)[0]
}

App()
  .any('/*', (response) => response.end('x'))
  .listen('127.0.0.1', 0, async (listening) => {
    let isAsEver = true
    for (const [what, request, expected] of requests) {
      const found = await statusLine(us_socket_local_port(listening), request)
      console.log(`uwebsockets@3.0.6, ${what}: ${found}`)
      isAsEver &&= found === expected
    }
    process.exit(isAsEver ? 0 : 1)
  })
SCRIPT
node forms.cjs
