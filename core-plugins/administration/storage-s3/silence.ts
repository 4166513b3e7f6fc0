import type { IncomingMessage } from 'node:http'

/**
 * A store has accepted a request and does not respond. The error's name prevents the SDK from repeating the request, which
 * would double the wait.
 */
export class StoreSilence extends Error {
  constructor(ms: number) {
    super(`the store has said nothing for ${ms} ms`)
    this.name = 'StoreSilence'
  }
}

/** Destroys a response with a StoreSilence if its reader waits this long for more data. */
export function limitSilence(answer: IncomingMessage, ms: number): void {
  const { socket } = answer
  const onTimeout = () => {
    // The reader has not taken the available data, which is not the store's fault.
    if (answer.readableLength > 0) socket.setTimeout(ms)
    else answer.destroy(new StoreSilence(ms))
  }
  socket.setTimeout(ms)
  socket.on('timeout', onTimeout)
  const release = () => socket.off('timeout', onTimeout)
  // After the response, the agent decides how long the socket may stay idle.
  answer.once('end', () => {
    release()
    socket.setTimeout(0)
  })
  answer.once('close', release)
}
