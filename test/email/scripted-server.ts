import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A server that answers commands as it likes, and notes what it is sent without encryption. */
export interface ScriptedServer {
  readonly port: number
  /** Everything that came, in its own letters. */
  heard(): string
  close(): Promise<void>
}

/** Answers by the first word of a command, in upper case; `DATA` ends with a dot. Others are answered with 250. */
export async function startScriptedServer(
  answers: Readonly<Record<string, string>>,
): Promise<ScriptedServer> {
  let heard = ''
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write('220 scripted ESMTP\r\n')
    let line = ''
    let isText = false
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1')
      // The beginning of a handshake: to this server it is a command like others.
      if (chunk[0] === 0x16) return void socket.write('500 unknown\r\n')
      line += chunk.toString('latin1')
      for (let end = line.indexOf('\r\n'); end >= 0; end = line.indexOf('\r\n')) {
        const command = line.slice(0, end)
        line = line.slice(end + 2)
        if (isText && command !== '.') continue
        const word = command.split(' ')[0]?.toUpperCase() ?? ''
        isText = word === 'DATA'
        socket.write(`${answers[word] ?? (isText ? '354 go on' : '250 fine')}\r\n`)
      }
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    heard: () => heard,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
