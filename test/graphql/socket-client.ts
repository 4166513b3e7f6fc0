import assert from 'node:assert/strict'
import { WebSocket } from 'ws'
import { until } from '../support/until.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape
export type SocketMessage = any

export interface SocketOptions {
  /** Sent as `connectionParams`. */
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly protocol?: string
}

/** A client that speaks graphql-transport-ws as the test says, not as it should. */
export class SocketClient {
  readonly socket: WebSocket
  readonly messages: SocketMessage[] = []
  closed: { readonly code: number; readonly reason: string } | undefined
  #pings = 0

  constructor(url: string, { headers = {}, protocol = 'graphql-transport-ws' }: SocketOptions = {}) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}/api/graphql`, protocol, { headers })
    this.socket.on('message', (data) => this.messages.push(JSON.parse(String(data))))
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: String(reason) }
    })
  }

  /** Resolves with the status where the connection is refused, else with 101. */
  opened(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.socket.once('open', () => resolve(101))
      this.socket.once('unexpected-response', (request, { statusCode = 0 }) => {
        request.destroy()
        resolve(statusCode)
      })
      this.socket.once('error', reject)
    })
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message))
  }

  /** Resolves when everything that was sent before has been looked at. */
  async settle(): Promise<void> {
    this.#pings += 1
    this.send({ type: 'ping' })
    await until(() => this.of('pong').length === this.#pings || this.closed !== undefined)
  }

  async subscribe(id: string, query: string, variables?: object): Promise<void> {
    this.send({ id, type: 'subscribe', payload: { query, ...(variables && { variables }) } })
    await this.settle()
  }

  of(type: string, id?: string): SocketMessage[] {
    return this.messages.filter((each) => each.type === type && (id === undefined || each.id === id))
  }

  /** What a subscription was told, by the one field of it. */
  events(id = '1'): SocketMessage[] {
    return this.of('next', id).map(({ payload }) => {
      assert.equal(payload.errors, undefined, JSON.stringify(payload.errors))
      return Object.values(payload.data)[0]
    })
  }

  async closedWith(): Promise<number> {
    await until(() => this.closed !== undefined)
    return this.closed?.code ?? 0
  }

  close(): void {
    this.socket.terminate()
  }
}

/** A client that has introduced itself. */
export async function openSocket(url: string, options: SocketOptions = {}): Promise<SocketClient> {
  const client = new SocketClient(url, options)
  assert.equal(await client.opened(), 101)
  const { token } = options
  const payload = token === undefined ? {} : { authorization: `Bearer ${token}` }
  client.send({ type: 'connection_init', payload })
  await until(() => client.of('connection_ack').length === 1 || client.closed !== undefined)
  return client
}
