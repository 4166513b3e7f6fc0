import { connect, type Socket } from 'node:net'

/** A connection on which a test writes whatever it likes. */
export interface RawConnection {
  readonly socket: Socket
  write(bytes: string | Uint8Array): void
  /** Everything received so far, byte by byte as latin1, once it satisfies `isEnough` or the server has closed. */
  read(isEnough?: (text: string) => boolean): Promise<string>
  /** Everything until the server closes the connection. */
  readToEnd(): Promise<string>
  close(): void
}

/** Connects to the server at `url`. */
export async function openConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  let isClosed = false
  const changed = new Set<() => void>()
  const tell = () => {
    for (const listener of changed) listener()
  }
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    text += chunk
    tell()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
    tell()
  })
  await new Promise((resolve) => socket.once('connect', resolve))
  const read = (isEnough: (text: string) => boolean) =>
    new Promise<string>((resolve) => {
      const check = () => {
        if (!isClosed && !isEnough(text)) return
        changed.delete(check)
        resolve(text)
      }
      changed.add(check)
      check()
    })
  return {
    socket,
    write: (bytes) => void socket.write(bytes),
    read: (isEnough = hasAnswer) => read(isEnough),
    readToEnd: () => read(() => false),
    close: () => void socket.destroy(),
  }
}

/** Sends one text on a connection of its own and answers what comes back until the server closes it. */
export async function sendAndReadToEnd(url: string, bytes: string | Uint8Array): Promise<string> {
  const connection = await openConnection(url)
  connection.write(bytes)
  return connection.readToEnd()
}

/** The status of each answer in a text, in order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
}

function hasAnswer(text: string): boolean {
  const head = text.indexOf('\r\n\r\n')
  if (head === -1) return false
  const length = /content-length: (\d+)/i.exec(text.slice(0, head))?.[1]
  return length === undefined || text.length >= head + 4 + Number(length)
}
