import type { IncomingMessage } from 'node:http'
import { stallTimeoutMs } from './server-port.ts'

/** The same rate as uWebSockets. */
const leastBytesPerSecond = 16_384

const leastBytes = (leastBytesPerSecond * stallTimeoutMs) / 1_000

/**
 * Cuts the connection of a request whose body stalls or trickles, so that a client cannot hold it open. Time during
 * which the service itself is not reading does not count.
 */
export function watchPace(request: IncomingMessage) {
  const { socket } = request
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    const received = socket.bytesRead - seen
    seen = socket.bytesRead
    if (request.complete || socket.destroyed) clearInterval(timer)
    else if (request.readableFlowing === true && received < leastBytes) socket.destroy()
  }, stallTimeoutMs)
  timer.unref()
  request.once('end', () => clearInterval(timer))
}
