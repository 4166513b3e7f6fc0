import type { IncomingMessage } from 'node:http'

/** A store has accepted a request and says nothing. Its name keeps the SDK from sending the request again, and waiting as long again. */
export class StoreSilence extends Error {
  constructor(ms: number) {
    super(`the store has said nothing for ${ms} ms`)
    this.name = 'StoreSilence'
  }
}

/** Destroys an answer with a StoreSilence once its reader has waited for more of it for so long. */
export function limitSilence(answer: IncomingMessage, ms: number): void {
  const { socket } = answer
  const onTimeout = () => {
    // Its reader has not taken what is there: that is not the store's fault.
    if (answer.readableLength > 0) socket.setTimeout(ms)
    else answer.destroy(new StoreSilence(ms))
  }
  socket.setTimeout(ms)
  socket.on('timeout', onTimeout)
  const release = () => socket.off('timeout', onTimeout)
  // The socket may be idle after that for as long as its agent likes.
  answer.once('end', () => {
    release()
    socket.setTimeout(0)
  })
  answer.once('close', release)
}
