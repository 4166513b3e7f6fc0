import type { ServerResponse } from 'node:http'
import type { EventChannel, EventWriter } from './server-port.ts'

/** See `EventChannel`. */
export class NodeEvents implements EventChannel {
  isFull = false
  private readonly response: ServerResponse

  constructor(response: ServerResponse, writer: EventWriter) {
    this.response = response
    response.on('drain', () => {
      this.isFull = false
      if (this.isOpen) writer.drained()
    })
    response.once('close', () => writer.closed())
  }

  get isOpen(): boolean {
    return !this.response.writableEnded && !this.response.destroyed
  }

  write(bytes: Uint8Array) {
    if (this.isOpen && !this.response.write(bytes)) this.isFull = true
  }

  end() {
    if (this.isOpen) this.response.end()
  }

  cut() {
    this.response.destroy()
  }
}
