import type { IncomingMessage } from 'node:http'
import { idleTimeoutMs } from './server-port.ts'

/** As uWebSockets has it. */
const leastBytesPerSecond = 16_384

const leastBytes = (leastBytesPerSecond * idleTimeoutMs) / 1_000

/**
 * Cuts the connection of a request whose body stands still or drips, so that nobody holds one open for nothing. Time
 * in which the service itself does not take what comes is not counted.
 */
export function watchPace(request: IncomingMessage) {
  const { socket } = request
  let seen = socket.bytesRead
  const timer = setInterval(() => {
    const received = socket.bytesRead - seen
    seen = socket.bytesRead
    if (request.complete || socket.destroyed) clearInterval(timer)
    else if (request.readableFlowing === true && received < leastBytes) socket.destroy()
  }, idleTimeoutMs)
  timer.unref()
  request.once('end', () => clearInterval(timer))
}
