/*
 * The messages of graphql-transport-ws over a WebSocket, and of graphql-sse (distinct connections mode) over server-sent
 * events. See https://github.com/enisdenjo/graphql-ws and graphql-sse.
 */

import { isObject } from '../../../../kernel/index.ts'

export const subprotocol = 'graphql-transport-ws'

export type ClientMessage =
  | { readonly type: 'connection_init'; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly type: 'ping' | 'pong' }
  | { readonly type: 'subscribe'; readonly id: string; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly type: 'complete'; readonly id: string }

/** The maximum length of operation ids, in characters. */
const maxIdLength = 128

/** Undefined for messages outside the protocol. */
export function clientMessageIn(text: string): ClientMessage | undefined {
  const message = objectIn(text)
  const { type, id, payload } = message ?? {}
  const isNamed = typeof id === 'string' && id.length > 0 && id.length <= maxIdLength
  switch (type) {
    case 'connection_init':
      return payload === undefined || payload === null || isObject(payload)
        ? { type, payload: payload ?? {} }
        : undefined
    case 'ping':
    case 'pong':
      return { type }
    case 'subscribe':
      return isNamed && isObject(payload) ? { type, id, payload } : undefined
    case 'complete':
      return isNamed ? { type, id } : undefined
    default:
      return undefined
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const messages = {
  ack: JSON.stringify({ type: 'connection_ack' }),
  pong: JSON.stringify({ type: 'pong' }),
  error: (id: string, errors: readonly object[]) => JSON.stringify({ id, type: 'error', payload: errors }),
  complete: (id: string) => JSON.stringify({ id, type: 'complete' }),
}

/** Wraps the body of a response, which may be the same for many operations. */
export function nextFrame(id: string): (body: Uint8Array) => Buffer {
  const start = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`)
  const end = Buffer.from('}')
  return (body) => Buffer.concat([start, body, end])
}

/** Reasons to close a connection, with codes of the protocol or of WebSockets. */
export const closings = {
  goingAway: [1001, 'the service is stopping'],
  tooLarge: [1009, 'the message is too large'],
  tryLater: [1013, 'reads too slowly'],
  badRequest: [4400, 'not a message of graphql-transport-ws'],
  unauthorized: [4401, 'Unauthorized'],
  expired: [4401, 'the credential is no longer valid'],
  forbidden: [4403, 'Forbidden'],
  initTimeout: [4408, 'Connection initialisation timeout'],
  tooManyInits: [4429, 'Too many initialisation requests'],
  tooManyMessages: [4429, 'too many messages at once'],
  failed: [4500, 'Internal server error'],
} as const satisfies Readonly<Record<string, readonly [number, string]>>

export const alreadyExists = (id: string): readonly [number, string] => [
  4409,
  // The length of a close reason is limited.
  `Subscriber for ${id.length > 60 ? 'this id' : id} already exists`,
]

const start = Buffer.from('event: next\ndata: ')
const end = Buffer.from('\n\n')

/** The body of a response as an event; serialised JSON has no line breaks. */
export const nextEvent = (body: Uint8Array): Buffer => Buffer.concat([start, body, end])

export const completeEvent: Uint8Array = Buffer.from('event: complete\ndata: \n\n')

/** A response that contains only errors. */
export const errorsEvent = (errors: readonly object[]): Buffer =>
  nextEvent(Buffer.from(JSON.stringify({ errors })))
